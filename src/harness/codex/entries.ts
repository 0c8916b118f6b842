import { sha256 } from "../../base/digest.ts";
import { guardedLine, guardedRun, isGuardedEntry, noAnswer } from "../registered-line.ts";

/**
 * Tama's entries in Codex's hooks.json. Codex runs a command with the person's login shell and lets a tool run when the command cannot be
 * started, is killed, or says anything it did not expect (measured with 0.171.0). So the command of an event that can be refused is a small
 * shell line that refuses by itself where the binary does not: exit 2 with words on stderr. At the end of a turn it must not: Codex goes on
 * for ever as long as its Stop hook refuses, and a binary that is gone will not come back by that.
 *
 * The line depends on the binary's path alone. Codex trusts a command by its text, so one that changed with a release would silently
 * disarm the gate at each upgrade.
 */

/** In seconds. Codex waits 600 by default and lets the tool run afterwards; this is 24 days, and answer-event.ts answers before. */
export const hostLimitSeconds = 2_147_483;

/** Codex cuts what a session's end may take to this, and trusts the cut figure (measured). */
const sessionEndSeconds = 3;

/** The events Tama hears, and whether a dead binary refuses them. Each costs a process, so only those that decide or tell a fact. */
const registered: Readonly<Record<string, { readonly refusesAlone: boolean; readonly seconds?: number }>> = {
  SessionStart: { refusesAlone: false },
  UserPromptSubmit: { refusesAlone: true },
  PreToolUse: { refusesAlone: true },
  PostToolUse: { refusesAlone: false },
  PostCompact: { refusesAlone: false },
  SubagentStop: { refusesAlone: false },
  Stop: { refusesAlone: false },
  SessionEnd: { refusesAlone: false, seconds: sessionEndSeconds },
};

export interface HookGroup {
  readonly hooks: readonly HookEntry[];
}

interface HookEntry {
  readonly type: "command";
  readonly command: string;
  readonly timeout: number;
}

/** The group that each event's list is to end with, by event. Without a matcher: every tool. */
export function wantedGroups(binary: string): ReadonlyMap<string, HookGroup> {
  return new Map(
    Object.entries(registered).map(([event, { refusesAlone, seconds }]) => [
      event,
      {
        hooks: [{ type: "command", command: hookCommand(binary, refusesAlone), timeout: seconds ?? hostLimitSeconds }],
      },
    ]),
  );
}

function hookCommand(binary: string, refusesAlone: boolean): string {
  const run = guardedRun("codex");
  const alone = `${run} || { test $? = 2 || ${noAnswer}; exit 2; }`;
  return guardedLine(refusesAlone ? alone : `exec ${run}`, binary);
}

/** Whether a hook entry is Tama's. */
export function isOwnEntry(entry: unknown): boolean {
  return isGuardedEntry(entry, "codex");
}

/** Codex's name of an event in the keys of its trust table: `PreToolUse` is `pre_tool_use`. */
export function trustName(event: string): string {
  return event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/**
 * The hash under which Codex trusts a group's only hook: sha256 of its normal form as compact JSON with sorted keys, defaults filled in
 * (measured for groups without a matcher, the only ones Tama writes). A hook whose hash is not the trusted one does not run.
 */
export function trustHash(event: string, entry: HookEntry): string {
  const { command, timeout, type } = entry;
  const hook = { async: false, command, timeout, type };
  return `sha256:${sha256(JSON.stringify({ event_name: trustName(event), hooks: [hook] }))}`;
}
