import { ownValue } from "../base/own-value.ts";
import { namedPath, type PlacedCommand } from "../calls/named-paths.ts";
import { commandEffect } from "../shell/effect.ts";
import { isLiteral } from "../shell/shell-words.ts";
import type { SimpleCommand } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";
import { hasWildcard, matches } from "./protecting-place.ts";

/** The commands that switch gates, by program: each row is the first words behind it. */
const switches: Readonly<Record<string, readonly string[]>> = {
  tama: [
    "hooks declare",
    "hooks withdraw",
    "grant",
    "install",
    "uninstall",
    "model-provider set",
    "model-provider remove",
    "transcript accept",
  ],
  oko: ["purgatory verdict", "rulings enforce"],
};

/**
 * The words of the command by which this one would switch gates, program first; null where it does not, or only prints its help or a plan.
 * A program that nobody knows may run another behind its own words (`mise exec -- tama …`).
 */
export function switchIn(command: SimpleCommand): readonly string[] | null {
  const { words } = command;
  if (isSwitch(words)) return words;
  const at = words.findIndex((word, index) => index > 0 && Object.hasOwn(switches, programBasename(word)));
  if (at <= 1) return null;
  const run = words.slice(at);
  const handsOn = /^(?:--|run|exec|-c|-x)$/.test(words[at - 1] ?? "") || words.includes("exec");
  return handsOn && isSwitch(run) && commandEffect(command) === "unknown" ? run : null;
}

function isSwitch(words: readonly string[]): boolean {
  const rows = rowsOf(programBasename(words[0] ?? ""));
  if (rows.length === 0) return false;
  const own = words.slice(1, words.includes("--") ? words.indexOf("--") : words.length);
  if (own.some((word) => word === "--plan" || word === "--help" || word === "-h")) return false;
  const verbs = own.filter((word) => !word.startsWith("-"));
  return rows.some((row) => row.split(" ").every((word, index) => verbs[index] === word));
}

/** A pattern may name the program, and one that only the shell knows is told by words that no other program takes. */
function rowsOf(program: string): readonly string[] {
  if (!isLiteral(program)) return rowsOfAny;
  if (!hasWildcard(program)) return ownValue(switches, program) ?? [];
  return switchRows.flatMap(([name, rows]) => (matches(program, name) ? rows : []));
}

const switchRows = Object.entries(switches);
const rowsOfAny = switchRows.flatMap(([, rows]) => rows).filter((row) => row.includes(" "));

/**
 * Another TAMA_HOME is none of this core's business: whether the command is told one that does not lie in `own`. An adapter stands in the
 * person's home, so for installing it is that home which has to be another.
 */
export function hasOtherHome(
  placed: PlacedCommand,
  before: readonly PlacedCommand[],
  userHome: string,
  isOwn: (path: string) => boolean,
): boolean {
  const verb = placed.command.words.find((word, at) => at > 0 && !word.startsWith("-")) ?? "";
  const name = /^(?:install|uninstall)$/.test(verb) ? "HOME=" : "TAMA_HOME=";
  const set = [...before.filter((one) => reaches(one, placed)).flatMap(exported), ...placed.command.assigned];
  const value = set.findLast((one) => one.startsWith(name))?.slice(name.length);
  if (value === undefined || value === "") return false;
  // The person's own home is known by its name; what only the shell knows is a home made for the purpose.
  const path = isLiteral(value) ? (namedPath(value, placed.cwd, userHome)?.path ?? null) : null;
  return path === null || (path !== userHome && !isOwn(path));
}

/** What a shell sets stays in it and in the shells it starts. */
function reaches(earlier: PlacedCommand, later: PlacedCommand): boolean {
  return earlier.command.shells.every((shell, at) => later.command.shells[at] === shell);
}

function exported({ command }: PlacedCommand): readonly string[] {
  const [program, ...words] = command.words;
  if (program === "export" || program === "declare" || program === "typeset") return words;
  // fish
  const at = program === "set" ? words.findIndex((word) => /^-[a-z]*x/.test(word)) : -1;
  return at === -1 ? [] : [`${words[at + 1] ?? ""}=${words[at + 2] ?? ""}`];
}
