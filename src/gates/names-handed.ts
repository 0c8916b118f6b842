import { operandsOf, type PlacedCommand } from "../calls/named-paths.ts";
import { isLiteral, NOT_LITERAL } from "../shell/shell-words.ts";
import type { SimpleCommand } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";
import { type Picks, picksOf } from "./find-picks.ts";

/**
 * Names of files that one command of a line gives to another: down a pipeline (`find … | xargs rm`, `… | while read f; do rm "$f"`) or out
 * of a substitution (`rm $(find …)`, `for f in $(ls …)`, `done < <(find …)`). Which of them it then takes only a run would tell.
 */
export interface NamedWord {
  readonly word: string;
  /** Which of what lies below it, where `find` names it. */
  readonly picks?: Picks;
  /** It is one name and no list of them. */
  readonly alone?: boolean;
}

/** The names that the command at this place of the line may be given. */
export function namesHanded(commands: readonly PlacedCommand[], at: number): readonly NamedWord[] {
  const own = commands[at]?.command;
  if (own === undefined) return [];
  const fed = own.fed ? feeding(commands, at) : null;
  const substituted = own.wrappers.includes("xargs")
    ? []
    : commands.filter((_one, index) => answers(commands, index, own));
  return [...(fed === null ? [] : [fed]), ...substituted.map(({ command }) => command)].flatMap(named);
}

/** The starting points of `find`, each with what it picks below it. */
export function found(words: readonly string[]): readonly NamedWord[] {
  const end = words.findIndex((word, at) => at > 0 && /^[-(!]/.test(word) && !/^-[HLPDO]/.test(word));
  const roots = words.slice(1, end === -1 ? words.length : end).filter((word) => !word.startsWith("-"));
  return (roots.length === 0 ? ["."] : roots).map((word) => ({ word, picks: picksOf(words, word) }));
}

/** The stage of a pipeline from which names reach this command, through stages that only leave some out. */
function feeding(commands: readonly PlacedCommand[], at: number): SimpleCommand | null {
  const own = commands[at]?.command;
  const stage = own?.shells.length ?? 0;
  for (let before = at - 1; before >= 0; before--) {
    const command = commands[before]?.command;
    if (command === undefined) return null;
    // Another command of the same stage, such as the `read` of a loop.
    if (command.fed && own?.shells.every((shell, depth) => command.shells[depth] === shell)) continue;
    if (namers.has(programBasename(command.program))) return command;
    if (!command.fed || !(filters.has(programBasename(command.program)) || command.shells.length > stage)) return null;
  }
  return null;
}

/** Whether a command stands in a substitution and its answer, or what a filter leaves of it, may be a word of `own`. */
function answers(commands: readonly PlacedCommand[], at: number, own: SimpleCommand): boolean {
  const command = commands[at]?.command;
  if (command === undefined || command === own || !command.substituted || command.shells.length === 0) return false;
  if (!namers.has(programBasename(command.program)) || own.shells.join() === command.shells.join()) return false;
  const next = commands[at + 1]?.command;
  return next === undefined || !next.fed || filters.has(programBasename(next.program));
}

/** Programs whose words or answers are names of files. */
const namers: ReadonlySet<string> = new Set(
  "find gfind fd fdfind ls echo printf realpath readlink dirname which command".split(" "),
);

/** Programs that hand on lines they are given. */
const filters: ReadonlySet<string> = new Set("grep egrep rg head tail sort uniq sed awk tr cut tac cat tee".split(" "));

function named(command: SimpleCommand): readonly NamedWord[] {
  const { words } = command;
  switch (programBasename(command.program)) {
    case "find":
    case "gfind":
      return found(words);
    case "dirname":
      return operandsOf(words).map((word) => ({ word: `${word}/..` }));
    case "which":
    case "command":
      return operandsOf(words).some((word) => word === "tama") ? [{ word: "~/.local/bin/tama", alone: true }] : [];
    default:
      return operandsOf(words).flatMap((word) => (isLiteral(word) || word !== NOT_LITERAL ? [{ word }] : []));
  }
}
