import type { Clock } from "../../base/clock.ts";
import { maskSecrets } from "../../base/mask.ts";
import type { Result } from "../../base/result.ts";
import { appendLine } from "../../disk/append-line.ts";
import { type Home, prepareHome } from "../../disk/home.ts";
import type { LogLine } from "../../words/records.ts";
import type { Fact } from "./host-event.ts";

/** What is said of a refusal beside the fact itself. */
export type Told = Pick<LogLine, "refusal" | "blockedHookId" | "what" | "why" | "instead">;

/**
 * One line of the session's log, with one write and nothing before it: Claude Code gives the hook of a failed turn a few milliseconds and
 * kills it when it ends itself (measured), so the home is only made where the line finds none.
 */
export function recordFact(home: Home, clock: Clock, fact: Fact, told: Told = {}): Result<void> {
  const at = clock.iso();
  const line: LogLine = {
    at,
    dispatch: `${fact.event}-${process.pid}-${at}`,
    event: fact.event,
    verdict: told.refusal === undefined ? "pass" : "refuse",
    ms: 0,
    hooks: [],
    reason: fact.says,
    ...told,
  };
  const text = JSON.stringify(line, (_key, value: unknown) => (typeof value === "string" ? maskSecrets(value) : value));
  const path = home.sessionLog(fact.session, fact.agentId);
  const written = appendLine(path, text);
  if (written.ok) return written;
  const prepared = prepareHome(home);
  return prepared.ok ? appendLine(path, text) : prepared;
}
