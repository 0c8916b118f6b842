import { release } from "../base/release.ts";
import { causeOf, codeOf } from "../base/result.ts";
import type { Command, Context, Given } from "./command.ts";
import { missingValue } from "./missing-value.ts";
import { didYouMean } from "./nearest-word.ts";
import { plainValues } from "./plain-words.ts";
import { type Branch, tree } from "./tree.ts";
import { commandUsage, groupUsage, treeUsage, wrongWords } from "./usage.ts";

/** Runs one command line. Never rejects; the exit code is the contract's, never citty's blanket 1. */
export async function runCli(words: readonly string[], context: Context): Promise<number> {
  const [first] = words;
  if (first === "--version" || first === "-v") return printed(context, `${release}\n`);
  if (first === "help" && words.length > 1) return await runCli([...words.slice(1), "--help"], context);
  if (first === "--help" || first === "-h" || first === "help") return printed(context, treeUsage(tree));
  const branch = find(words);
  if (branch === null) {
    const wrong = wrongWords(tree, words);
    const help = groupUsage(tree, words);
    return wrong === "" && askedForHelp(words) ? printed(context, help) : usage(context, wrong + help);
  }
  const rest = words.slice(branch.words.length);
  const command = await branch.load();
  const name = branch.words.join(" ");
  if (askedForHelp(rest)) return printed(context, commandUsage(command));
  const given = await parse(command, rest);
  if (typeof given === "string") return usage(context, `tama ${name}: ${given}\n${commandUsage(command)}`);
  try {
    return await command.run(context, given);
  } catch (thrown) {
    // A reader that has seen enough (`tama log | head`) is no failure to talk about.
    if (codeOf(thrown) !== "EPIPE") context.err(`${name}: ${causeOf(thrown)}\n`);
    // To a harness exit 1 means "carry on".
    return name === "run-hook" ? 2 : 1;
  }
}

function find(words: readonly string[]): Branch | null {
  const fits = tree.filter((branch) => branch.words.every((word, index) => words[index] === word));
  return fits.sort((a, b) => b.words.length - a.words.length)[0] ?? null;
}

function askedForHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf("--");
  return (end === -1 ? rest : rest.slice(0, end)).some((word) => word === "--help" || word === "-h");
}

/** The given flags and words, or what is wrong with them. */
async function parse(command: Command, all: readonly string[]): Promise<Given | string> {
  const dashes = command.takesCommand === true ? all.indexOf("--") : -1;
  const rest = dashes === -1 ? all : all.slice(0, dashes);
  const flags = Object.entries(command.args).filter(([, arg]) => arg.type !== "positional");
  const values = plainValues(command.args, rest) ?? (await import("./any-words.ts")).anyValues(command.args, rest);
  const unknown = Object.keys(values).find(
    (name) => name !== "_" && !Object.hasOwn(command.args, name) && !flags.some(([flag]) => camel(flag) === name),
  );
  if (unknown !== undefined) return unknownFlag(unknown, Object.fromEntries(flags));
  const words = Array.isArray(values["_"]) ? values["_"].map(String) : [];
  const problem = missingValue(command.args, rest) ?? missing(command, values, words);
  if (problem !== null) return problem;
  return {
    text: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    flag: (name) => values[name] === true,
    words,
    command: dashes === -1 ? [] : all.slice(dashes + 1),
  };
}

function unknownFlag(name: string, flags: Readonly<Record<string, unknown>>): string {
  if (name.length === 1) return `there is no -${name}`;
  return `there is no --${name}${didYouMean(name, [...Object.keys(flags), "help"], (word) => `--${word}`)}`;
}

function missing(command: Command, values: Readonly<Record<string, unknown>>, words: readonly string[]): string | null {
  const positionals = Object.entries(command.args).filter(([, arg]) => arg.type === "positional");
  const required = positionals.filter(([, arg]) => arg.required !== false);
  const absent = required[words.length];
  if (absent !== undefined) return `<${absent[0]}> is missing`;
  const takesMany = positionals.some(([, arg]) => arg.valueHint === "…");
  if (!takesMany && words.length > positionals.length)
    return `there is nothing to do with ${JSON.stringify(words[positionals.length])}`;
  for (const [name, arg] of Object.entries(command.args)) {
    if (arg.type === "positional") continue;
    if (arg.required === true && typeof values[name] !== "string") return `--${name} is missing`;
    if (values[name] === "" && arg.valueHint === "id") return `--${name} is empty`;
  }
  return null;
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

function printed(context: Context, text: string): number {
  context.out(text);
  return 0;
}

function usage(context: Context, text: string): number {
  context.err(text);
  return 2;
}
