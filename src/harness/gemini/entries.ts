import type { HookGroup } from "../hook-groups.ts";
import { guardedLine, guardedRun, isGuardedEntry, noAnswer } from "../registered-line.ts";

/**
 * Tama's entries in Gemini CLI's settings.json. Gemini starts a command with bash and lets a tool run when the command is killed, answers
 * late or exits 1 (0.61.0). Exit 2 or more with words on stderr refuses, whatever the event, and so would the shell's own "not found". So
 * the registered command is a small shell line which says by itself what a binary that gives no answer means: a refusal before a tool and
 * before a prompt; elsewhere exit 1, which Gemini shows and goes on. At the end of a turn a refusal would never end: Gemini counts no
 * refused endings.
 */

/** In milliseconds. Gemini waits 60,000 by default and lets the tool run afterwards; this is the longest its timer takes, 24 days. */
export const hostLimitMs = 2_147_483_647;

/** Gemini does not wait longer for a session's end than its own shutdown takes; nothing is decided there. */
const sessionEndMs = 60_000;

/**
 * The events Tama hears, and whether a dead binary refuses them. Each costs a process, so only those that decide or tell a fact: PreCompress
 * fires before every request, whether anything is compressed or not (measured).
 */
const registered: Readonly<Record<string, { readonly refusesAlone: boolean; readonly ms?: number }>> = {
  SessionStart: { refusesAlone: false },
  BeforeAgent: { refusesAlone: true },
  BeforeTool: { refusesAlone: true },
  AfterTool: { refusesAlone: false },
  AfterAgent: { refusesAlone: false },
  SessionEnd: { refusesAlone: false, ms: sessionEndMs },
};

/** Gemini's name of the hook, in its own lists and in `hooksConfig.disabled`. */
export const hookName = "tama";

/** The group that each event's list is to end with, by event. Without a matcher: every tool. */
export function wantedGroups(binary: string): ReadonlyMap<string, HookGroup> {
  return new Map(
    Object.entries(registered).map(([event, { refusesAlone, ms }]) => {
      const command = hookCommand(binary, refusesAlone);
      return [event, { hooks: [{ type: "command", name: hookName, command, timeout: ms ?? hostLimitMs }] }];
    }),
  );
}

/** No word here is one of those that Gemini fills in (`$GEMINI_CWD` …). */
function hookCommand(binary: string, refusesAlone: boolean): string {
  const alone = refusesAlone ? `{ test $? = 2 || ${noAnswer}; exit 2; }` : `{ ${noAnswer}; exit 1; }`;
  return guardedLine(`${guardedRun("gemini")} || ${alone}`, binary);
}

/** Whether a hook entry is Tama's. */
export function isOwnEntry(entry: unknown): boolean {
  return isGuardedEntry(entry, "gemini");
}
