import { clearTakeovers } from "./takeovers.ts";

// The command line under which an agent starts Tama, as it stands among the agent's hooks.

/**
 * A program's path as a word for `sh`. Its set of plain characters is frozen, unlike that of words shown to a person (base/quoted-word.ts):
 * Codex trusts a line by its text, and an installed line is known again by it.
 */
export function lineWord(path: string): string {
  return /^[A-Za-z0-9._/@:+,-]+$/.test(path) ? path : singleQuoted(path);
}

export function singleQuoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** The path that such a word stands for. */
export function pathOfWord(word: string): string {
  return word.startsWith("'") ? word.slice(1, -1).replaceAll(`'\\''`, "'") : word;
}

/** The part of a guarded line that runs Tama: `$0` is its program, `$PPID` of the `sh` around it the agent itself. */
export function guardedRun(harness: string): string {
  return `${clearTakeovers} TAMA_HARNESS_PID=$PPID "$0" run-hook ${harness}`;
}

/** What a guarded line says where the program gave no answer. */
export const noAnswer = 'echo "TAMA_HOOK_INFRASTRUCTURE: tama: $0 gave no answer; tama doctor says why" >&2';

/** `exec sh -c '…' /abs/tama`, since the shell the agent starts may be one that knows no `$PPID` or no braces. */
export function guardedLine(body: string, program: string): string {
  return `exec sh -c '${body}' ${lineWord(program)}`;
}

/** The program that a guarded line, as Tama installs it, starts; null for any other command. */
export function programOfGuarded(command: string): string | null {
  const path = pathOfWord(/' ('(?:[^']|'\\'')*'|\S+)$/.exec(command)?.[1] ?? "");
  return path === "" ? null : path;
}

/** Whether a hook entry is a guarded line of Tama's for this agent, by its command alone. */
export function isGuardedEntry(entry: unknown, harness: string): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const command: unknown = Reflect.get(entry, "command");
  if (typeof command !== "string" || !/(^|[\s'"/])tama['"]?\s*$/.test(command)) return false;
  return new RegExp(`\\brun-hook ${harness}\\b`).test(command);
}
