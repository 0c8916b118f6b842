import { release } from "../base/release.ts";
import { causeOf, codeOf } from "../base/result.ts";
import type { Command, Context, Given } from "./command.ts";
import { plainValues, type Values } from "./plain-words.ts";
import { type Branch, tree } from "./tree.ts";
import { commandUsage, groupUsage, treeUsage } from "./usage.ts";

/** Runs one command line. Never rejects; the exit code is the contract's, never citty's blanket 1. */
export async function runCli(words: readonly string[], context: Context): Promise<number> {
  try {
    return await answered(words, context);
  } catch (thrown) {
    const branch = find(words);
    const name = branch === null ? "tama" : branch.words.join(" ");
    // A reader that has seen enough (`tama log | head`) is no failure to talk about.
    if (codeOf(thrown) !== "EPIPE") context.err(`${name}: ${causeOf(thrown)}\n`);
    // To a harness exit 1 means "carry on".
    return name === "run-hook" ? 2 : 1;
  }
}

async function answered(words: readonly string[], context: Context): Promise<number> {
  const [first] = words;
  if (first === "--version" || first === "-v") return printed(context, `${release}\n`);
  if (first === "help" && words.length > 1) return await answered([...words.slice(1), "--help"], context);
  if (first === "--help" || first === "-h" || first === "help") return printed(context, treeUsage(tree));
  const branch = find(words);
  if (branch === null) {
    const wrong = (await import("./wrong-words.ts")).wrongWords(tree, words);
    const help = groupUsage(tree, words);
    return wrong === "" && askedForHelp(words) ? printed(context, help) : usage(context, wrong + help);
  }
  const rest = words.slice(branch.words.length);
  const command = await branch.load();
  const name = branch.words.join(" ");
  if (askedForHelp(rest)) return printed(context, commandUsage(command));
  const given = await parse(command, rest);
  if (typeof given === "string") return usage(context, `tama ${name}: ${given}\n${commandUsage(command)}`);
  return await command.run(context, given);
}

/** The command whose name is longest among those the words begin with. */
function find(words: readonly string[]): Branch | null {
  let found: Branch | null = null;
  for (const branch of tree)
    if (branch.words.length > (found?.words.length ?? 0) && beginWith(words, branch.words)) found = branch;
  return found;
}

function beginWith(words: readonly string[], name: readonly string[]): boolean {
  for (let at = 0; at < name.length; at++) if (words[at] !== name[at]) return false;
  return true;
}

function askedForHelp(rest: readonly string[]): boolean {
  for (const word of rest) {
    if (word === "--") return false;
    if (word === "--help" || word === "-h") return true;
  }
  return false;
}

/** The given flags and words, or what is wrong with them. */
async function parse(command: Command, all: readonly string[]): Promise<Given | string> {
  const dashes = command.takesCommand === true ? all.indexOf("--") : -1;
  const rest = dashes === -1 ? all : all.slice(0, dashes);
  const values = plainValues(command.args, rest) ?? (await import("./any-words.ts")).anyValues(command.args, rest);
  if (typeof values === "string") return values;
  const words = Array.isArray(values["_"]) ? values["_"].map(String) : [];
  const problem = missing(command, values, words);
  if (problem !== null) return problem;
  return {
    text: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    flag: (name) => values[name] === true,
    words,
    command: dashes === -1 ? [] : all.slice(dashes + 1),
  };
}

function missing({ args }: Command, values: Values, words: readonly string[]): string | null {
  let places = 0;
  let takesMany = false;
  for (const name in args) {
    const arg = args[name];
    if (arg?.type !== "positional") continue;
    if (arg.required !== false && words[places] === undefined) return `<${name}> is missing`;
    takesMany ||= arg.valueHint === "…";
    places++;
  }
  if (!takesMany && words.length > places) return `there is nothing to do with ${JSON.stringify(words[places])}`;
  for (const name in args) {
    const arg = args[name];
    if (arg === undefined || arg.type === "positional") continue;
    if (arg.required === true && typeof values[name] !== "string") return `--${name} is missing`;
    if (values[name] === "" && arg.valueHint === "id") return `--${name} is empty`;
  }
  return null;
}

function printed(context: Context, text: string): number {
  context.out(text);
  return 0;
}

function usage(context: Context, text: string): number {
  context.err(text);
  return 2;
}
