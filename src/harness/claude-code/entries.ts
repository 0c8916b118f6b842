import { basename } from "node:path";
import type { HookGroup } from "../hook-groups.ts";
import { lineWord, pathOfWord } from "../registered-line.ts";
import { clearTakeovers } from "../takeovers.ts";

/**
 * Tama's entries in Claude Code's settings. The shell form, because `env -u` must run before the binary: BUN_OPTIONS and BUN_BE_BUN take
 * over any program that Bun compiled. An entry is known by its command alone: Claude Code drops keys it does not know when it rewrites
 * the file (measured).
 */

/**
 * The longest Claude Code takes: it cuts a hook's limit at 2,147,483,647 ms (read in 2.1.332), which is 24 days. Past the limit it lets the
 * tool run, so no gate may ever come near it; one that does is answered for before (answer-event.ts).
 */
export const hostLimitSeconds = 2_147_483;

/** Claude Code allows the hooks of a session's end at most this much (measured), and nothing is decided there. */
const sessionEndSeconds = 60;

/** The events Tama hears, and whether the event takes a matcher. Each one costs a process, so only those that decide or tell a fact. */
const registered: Readonly<Record<string, { readonly matcher: boolean; readonly seconds: number }>> = {
  PreToolUse: { matcher: true, seconds: hostLimitSeconds },
  PermissionRequest: { matcher: true, seconds: hostLimitSeconds },
  PostToolUse: { matcher: true, seconds: hostLimitSeconds },
  PostToolUseFailure: { matcher: true, seconds: hostLimitSeconds },
  UserPromptSubmit: { matcher: false, seconds: hostLimitSeconds },
  SessionStart: { matcher: true, seconds: hostLimitSeconds },
  PostCompact: { matcher: true, seconds: hostLimitSeconds },
  SubagentStart: { matcher: true, seconds: hostLimitSeconds },
  Stop: { matcher: false, seconds: hostLimitSeconds },
  StopFailure: { matcher: true, seconds: hostLimitSeconds },
  SubagentStop: { matcher: true, seconds: hostLimitSeconds },
  ConfigChange: { matcher: true, seconds: hostLimitSeconds },
  SessionEnd: { matcher: true, seconds: sessionEndSeconds },
};

/** The group that each event's list is to end with, by event. */
export function wantedGroups(binary: string): ReadonlyMap<string, HookGroup> {
  return new Map(
    Object.entries(registered).map(([event, { matcher, seconds }]) => [
      event,
      {
        ...(matcher ? { matcher: "*" } : {}),
        hooks: [{ type: "command", command: hookCommand(binary), timeout: seconds, onFailure: "block" }],
      },
    ]),
  );
}

/** `env -u BUN_OPTIONS … /abs/tama run-hook claude-code`, the path quoted for `sh` where it must be. */
export function hookCommand(binary: string): string {
  return `${clearTakeovers} ${lineWord(binary)} run-hook claude-code`;
}

/** The program that a command as Tama installs it, or an earlier release did, starts; null for any other command. */
export function programOf(command: string): string | null {
  const word = /^env(?: -u \w+)+ (\S.*) run-hook claude-code$/.exec(command)?.[1] ?? "";
  const path = pathOfWord(word);
  return path !== "" && lineWord(path) === word ? path : null;
}

/** Whether a hook entry is Tama's: a program called `tama` with the words `run-hook claude-code`, in the shell or the exec form. */
export function isOwnEntry(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const command: unknown = Reflect.get(entry, "command");
  const words: unknown = Reflect.get(entry, "args");
  if (typeof command !== "string") return false;
  if (Array.isArray(words)) return basename(command) === "tama" && words.join(" ") === "run-hook claude-code";
  return /(^|[\s'"/])tama['"]?\s+run-hook\s+claude-code\s*$/.test(command);
}
