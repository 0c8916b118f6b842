import type { Command } from "./command.ts";
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
    ...(command.example === undefined ? [] : ["", `example: ${command.example}`]),
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

/** The commands that begin with the first word, or all of them. */
export function groupUsage(tree: readonly Branch[], words: readonly string[]): string {
  const group = groupOf(tree, words[0]);
  if (group.length === 0) return treeUsage(tree);
  const verbs = group.map((branch) => branch.words.slice(1).join(" ")).join("|");
  return `usage: tama ${words[0]} ${verbs}\n\n${columns(shown(group)).join("\n")}\n`;
}

/** The commands whose first word this is; not those that are not offered. */
export function groupOf(tree: readonly Branch[], first: string | undefined): readonly Branch[] {
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
