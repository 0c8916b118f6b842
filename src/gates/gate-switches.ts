import { absolutePath, type PlacedCommand } from "../calls/named-paths.ts";
import type { SimpleCommand } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";

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

/** Whether a command would switch gates: not where it only prints its help or a plan. */
export function switchesGates({ words, program }: SimpleCommand): boolean {
  const rows = switches[programBasename(program)];
  const own = words.slice(1, words.includes("--") ? words.indexOf("--") : words.length);
  if (rows === undefined || own.some((word) => word === "--plan" || word === "--help" || word === "-h")) return false;
  const verbs = own.filter((word) => !word.startsWith("-"));
  return rows.some((row) => row.split(" ").every((word, index) => verbs[index] === word));
}

/**
 * Another TAMA_HOME is none of this core's business: the folder that such a command acts on, or null for this session's own. An adapter
 * stands in the person's home, so for installing it is that home which has to be another.
 */
export function otherHome(placed: PlacedCommand, before: readonly PlacedCommand[], userHome: string): string | null {
  const installs = /^(?:install|uninstall)$/.test(
    placed.command.words.find((word, at) => at > 0 && !word.startsWith("-")) ?? "",
  );
  const name = installs ? "HOME=" : "TAMA_HOME=";
  const set = [...before.filter((one) => reaches(one, placed)).flatMap(exported), ...placed.command.assigned];
  const value = set.findLast((one) => one.startsWith(name))?.slice(name.length);
  return value === undefined ? null : absolutePath(value, placed.cwd, userHome);
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
