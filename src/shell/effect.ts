import type { Effect } from "./effect-kind.ts";
import { ruleEffect, strongest } from "./program-rule.ts";
import { PYTHON_MODULES, programRule, RUNS_WHAT_IT_IS_GIVEN } from "./programs.ts";
import { isLiteral } from "./shell-words.ts";
import { commandsOfWords, type SimpleCommand, simpleCommands } from "./simple-commands.ts";
import { programBasename } from "./wrappers.ts";

export type { Effect } from "./effect-kind.ts";

/**
 * What running this shell line can do to the answers of later calls: `changes` when any part of it is known to change
 * something, writes a file or stays behind in the background; else `unknown` when any part is not known; `reads` when
 * every part only looks. `tama wait … -- COMMAND` is `waits`, when nothing but its own filters and `cd` stand beside it.
 * A line that does not parse is `unknown`, an empty one `reads`.
 */
export function shellEffect(line: string): Effect {
  const commands = simpleCommands(line);
  return commands === null ? "unknown" : effectOfAll(commands, 0);
}

/** Beside a wait these add no look of their own: they only place it or filter what it printed. */
const BESIDE_A_WAIT: ReadonlySet<string> = new Set(["cd", "pushd", "popd", "set", "export", "true", ":"]);
const FILTERS: ReadonlySet<string> = new Set(
  "head tail grep egrep rg jq cut sort uniq wc tr sed awk cat column tee".split(" "),
);

/** `docker exec web sh -c "docker exec …"` and its like are followed this deep, then they are unknown. */
const INNER_LIMIT = 8;

/** Lines of these alone set up the shell, which some harnesses keep for the whole session: what they set may change any answer. */
const SETS_THE_SHELL: ReadonlySet<string> = new Set("unset unalias source .".split(" "));
/** These only show what is set unless they are given something; with `-p` they show it too. */
const SETS_WHEN_GIVEN: ReadonlySet<string> = new Set("export alias declare typeset readonly".split(" "));
/** These show it unless they are given a value. */
const SETS_BY_VALUE: ReadonlySet<string> = new Set("ulimit umask".split(" "));
const MOVES: ReadonlySet<string> = new Set("cd pushd popd".split(" "));

function effectOfAll(commands: readonly SimpleCommand[], depth: number): Effect {
  if (onlySetsTheShell(commands)) return "unknown";
  const effect = strongest(commands.map((command) => commandEffect(command, depth))) ?? "reads";
  if (effect !== "waits") return effect;
  return commands.every(belongsToAWait) ? "waits" : "reads";
}

function onlySetsTheShell(commands: readonly SimpleCommand[]): boolean {
  const acting = commands.filter((command) => !MOVES.has(command.program));
  return acting.length > 0 && acting.every(setsTheShell);
}

function setsTheShell({ program, words }: SimpleCommand): boolean {
  const given = words.slice(1);
  if (SETS_WHEN_GIVEN.has(program)) return given.length > 0 && !given.includes("-p");
  if (SETS_BY_VALUE.has(program)) return given.some((word) => !word.startsWith("-"));
  return SETS_THE_SHELL.has(program);
}

function belongsToAWait(command: SimpleCommand): boolean {
  const name = programBasename(command.program);
  return command.wrappers.includes("tama") || BESIDE_A_WAIT.has(name) || (command.fed && FILTERS.has(name));
}

/** What one command of a line can do, as `shellEffect` judges it among the others. */
export function commandEffect(command: SimpleCommand, depth = 0): Effect {
  if (command.redirectsToFile) return "changes";
  const effect = command.words.length === 0 ? "reads" : rememberedEffect(command.words, depth);
  // A part that goes on behind the line's back may change anything at any time, unless it only looks.
  if (command.background) return effect === "reads" ? "reads" : "changes";
  // Whoever hands a script of the project's own this word has it mend files, as each program does that is known to take it.
  if (effect === "unknown" && command.words.includes("--fix")) return "changes";
  return command.wrappers.includes("tama") && effect !== "changes" ? "waits" : effect;
}

/** The repeat rule, the ledger and the gates ask about the same words, which `simpleCommands` gives to each of them. */
function rememberedEffect(words: readonly string[], depth: number): Effect {
  if (depth > 0) return wordsEffect(words, depth);
  const effect = effects.get(words) ?? wordsEffect(words, depth);
  effects.set(words, effect);
  return effect;
}

const effects = new WeakMap<readonly string[], Effect>();

function wordsEffect(words: readonly string[], depth: number): Effect {
  const [program = "", first = "", second = ""] = words;
  if (!isLiteral(programBasename(program)) || depth > INNER_LIMIT) return "unknown";
  const name = tableName(program);
  if (name === null) return "unknown";
  const rule = programRule(name);
  if (asksForHelp(words, name, rule !== null)) return "reads";
  if (name === "python" && first === "-m" && PYTHON_MODULES.has(second)) return wordsEffect(words.slice(2), depth + 1);
  return rule === null ? "unknown" : ruleEffect(words, rule, (inner) => innerEffect(inner, depth + 1));
}

/** The command a program of the table runs for its caller: `npx eslint@9 .`, `docker exec web ls`. */
function innerEffect(words: readonly string[], depth: number): Effect {
  const program = (words[0] ?? "").replace(/^@[\w.-]+\//, "").replace(/(?<=.)@[\w.^~-]+$/, "");
  const commands = commandsOfWords([program, ...words.slice(1)]);
  return commands === null ? "unknown" : effectOfAll(commands, depth);
}

/**
 * `--help` and `--version` as a program's only word print and end, by a convention as old as getopt_long; so does `COMMAND
 * --help` of a program of the table that does not hand it on. A program named by its path in this tree is somebody's
 * script and promises nothing: `tableName` has left it out before.
 */
function asksForHelp(words: readonly string[], name: string, known: boolean): boolean {
  const last = words[words.length - 1];
  if (last !== "--help" && last !== "--version") return false;
  return words.length === 2 || (words.length === 3 && known && last === "--help" && !RUNS_WHAT_IT_IS_GIVEN.has(name));
}

/** The places a program of the system, or of the project's installed packages, is called from by its path. */
const PROGRAM_FOLDERS = /^(\/|~\/|\0\/).*\bs?bin\/[^/]+$|(^|\/)(node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/[^/]+$/;

/**
 * The name the table knows a program by. Null for a path such as `./test` or `scripts/find`: a project's own script is not
 * the program it is called like.
 */
function tableName(program: string): string | null {
  const base = programBasename(program);
  if (base === "tama" || base === "oko") return base;
  if (program.includes("/") && !PROGRAM_FOLDERS.test(program)) return null;
  return base
    .replace(/^(python|pip|pypy)\d+(\.\d+)*$/, "$1")
    .replace(/^(clang(?:-format|-tidy|\+\+)?|gcc|g\+\+)-\d+$/, "$1");
}
