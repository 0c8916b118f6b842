import type { Command } from "./command.ts";
import { didYouMean } from "./nearest-word.ts";
import type { Branch } from "./tree.ts";

/** Help, written from the same data the parser uses. */
export function commandUsage(command: Command): string {
  const options = Object.entries(command.args).map(([name, arg]) => {
    const shown =
      arg.type === "positional"
        ? `<${name}>`
        : arg.type === "boolean"
          ? `--${name}`
          : `--${name} ${(arg.valueHint ?? name).toUpperCase()}`;
    return [shown, arg.description ?? ""] as const;
  });
  const lines = [
    `usage: tama ${command.usage}`,
    "",
    command.about,
    ...(options.length === 0 ? [] : ["", ...columns(options)]),
  ];
  return `${lines.join("\n")}\n`;
}

export function treeUsage(tree: readonly Branch[]): string {
  const lines = [
    "tama keeps coding agents honest: one hook runtime below all of them.",
    "",
    "usage: tama <command> [options]        every command has --help",
    "",
    ...columns(shown(tree)),
    "",
    "State lives in TAMA_HOME (default ~/.tama). Exit codes: 0 done, 1 refused or failed, 2 usage, 70 infrastructure.",
  ];
  return `${lines.join("\n")}\n`;
}

/** What is wrong with words that name no command, where more than a verb is missing: then the usage says all. */
export function wrongWords(tree: readonly Branch[], words: readonly string[]): string {
  const [first, verb] = words;
  if (first === undefined) return "";
  const group = groupOf(tree, first);
  if (group.length === 0) {
    const known = [...new Set(tree.flatMap(({ words: own, hidden }) => (hidden === true ? [] : own.slice(0, 1))))];
    return `tama: there is no command ${JSON.stringify(first)}${didYouMean(first, known)}\n`;
  }
  if (verb === undefined || verb === "--help" || verb === "-h") return "";
  return `tama ${first}: there is no ${JSON.stringify(verb)}${didYouMean(
    verb,
    group.map((branch) => branch.words.slice(1).join(" ")),
  )}\n`;
}

/** The commands that begin with the first word, or all of them. */
export function groupUsage(tree: readonly Branch[], words: readonly string[]): string {
  const group = groupOf(tree, words[0]);
  if (group.length === 0) return treeUsage(tree);
  const verbs = group.map((branch) => branch.words.slice(1).join(" ")).join("|");
  return `usage: tama ${words[0]} ${verbs}\n\n${columns(shown(group)).join("\n")}\n`;
}

function groupOf(tree: readonly Branch[], first: string | undefined): readonly Branch[] {
  return tree.filter((branch) => branch.words[0] === first && branch.hidden !== true);
}

function shown(tree: readonly Branch[]): (readonly [string, string])[] {
  return tree
    .filter((branch) => branch.hidden !== true)
    .map((branch) => [branch.words.join(" "), branch.says] as const);
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}
