import { type ArgsDef, parseArgs } from "citty";
import type { Values } from "./plain-words.ts";

/** Flags and words in every form citty knows. What is required is for the caller to say, in its own words. */
export function anyValues(args: ArgsDef, given: readonly string[]): Values {
  const flags = Object.entries(args).filter(([, arg]) => arg.type !== "positional");
  return parseArgs([...given], Object.fromEntries(flags.map(([name, arg]) => [name, { ...arg, required: false }])));
}
