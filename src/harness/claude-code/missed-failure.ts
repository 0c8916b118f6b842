import { done, type Result } from "../../base/result.ts";
import { readLog } from "../../core/log-reading.ts";
import type { Home } from "../../disk/home.ts";
import { lastAnswer } from "../../transcript/tail.ts";
import type { HookEvent } from "../../words/event.ts";
import type { Fact } from "./host-event.ts";

/**
 * The failure of a session's last turn that the log does not hold: Claude Code starts the hook of a failed turn while it ends itself and kills
 * it within milliseconds (of 20 on a busy machine, half wrote nothing down), but waits for the hook of the session's end. So that one looks
 * whether the transcript's last answer is an error nobody told of.
 */
export function missedFailure(home: Home, { payload }: HookEvent): Result<Fact | null> {
  const { session, transcript } = payload;
  if (session == null || transcript == null) return done(null);
  const last = lastAnswer({ path: transcript, harness: "claude-code", accepted: new Set() });
  if (!last.ok) return last;
  const { stopReason, errorMessage } = last.value ?? {};
  if (stopReason !== "error" || errorMessage == null) return done(null);
  const log = readLog(home.sessionLog(session, null));
  if (!log.ok) return log;
  const told = log.value.slice(log.value.findLastIndex(({ event }) => event === "input") + 1);
  if (told.some(({ event }) => event === "stop_failure")) return done(null);
  const says = `the turn ended by ${errorMessage.split(": ")[0]}`;
  return done({ session, agentId: null, event: "stop_failure", says });
}
