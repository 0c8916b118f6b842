import { type ArgsDef, parseArgs } from "citty";
import { missingValue } from "./missing-value.ts";
import { didYouMean } from "./nearest-word.ts";
import type { Values } from "./plain-words.ts";

/** Flags and words in every form citty knows, or the sentence that says what is wrong. What is required is for the caller to say. */
export function anyValues(args: ArgsDef, given: readonly string[]): Values | string {
  const values = cittyValues(args, given);
  const flags = Object.keys(args).filter((name) => args[name]?.type !== "positional");
  const unknown = Object.keys(values).find(
    (name) => name !== "_" && !Object.hasOwn(args, name) && !flags.some((flag) => camel(flag) === name),
  );
  if (unknown !== undefined) return unknownFlag(unknown, flags);
  return missingValue(args, given) ?? givenTwice(args, given) ?? values;
}

/** citty takes the last value and says nothing of the first, which somebody meant too. */
function givenTwice(args: ArgsDef, given: readonly string[]): string | null {
  const values = new Map<string, string>();
  for (let at = 0; at < given.length && given[at] !== "--"; at++) {
    const [, name = "", equals] = /^--([\w-]+)(=.*)?$/s.exec(given[at] ?? "") ?? [];
    if (!Object.hasOwn(args, name) || args[name]?.type !== "string") continue;
    const value = equals === undefined ? (given[++at] ?? "") : equals.slice(1);
    const before = values.get(name);
    if (before !== undefined && before !== value)
      return `--${name} is given twice, as ${JSON.stringify(before)} and as ${JSON.stringify(value)}; it takes one`;
    values.set(name, value);
  }
  return null;
}

/** As citty reads them, right or wrong. */
export function cittyValues(args: ArgsDef, given: readonly string[]): Values {
  const flags = Object.entries(args).filter(([, arg]) => arg.type !== "positional");
  return parseArgs([...given], Object.fromEntries(flags.map(([name, arg]) => [name, { ...arg, required: false }])));
}

function unknownFlag(name: string, flags: readonly string[]): string {
  if (name.length === 1) return `there is no -${name}`;
  return `there is no --${name}${didYouMean(name, [...flags, "help"], (word) => `--${word}`)}`;
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}
