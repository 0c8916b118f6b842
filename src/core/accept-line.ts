import type { Clock } from "../base/clock.ts";
import { done, failed, type Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { readRecord } from "../disk/read-record.ts";
import { updateRecord } from "../disk/update-record.ts";
import { listEntries } from "../transcript/list-entries.ts";
import { failedCallsSchema } from "../words/kept-calls.ts";
import { acceptedLinesSchema, sessionRecordSchema } from "../words/records.ts";
import type { Owner } from "./repeat/call.ts";
import { releasedLooks } from "./repeat/keep.ts";

export interface Acceptance {
  readonly owner: Owner;
  readonly byte: number;
  readonly because: string;
}

export interface Accepted {
  readonly path: string;
  readonly byte: number;
  /** The next broken line, if there is one. */
  readonly next: number | null;
}

/**
 * The operator's word that a broken line of a session's transcript does not matter (design: gates). Only the line at which reading stops
 * can be accepted, so nobody accepts ahead what was not seen. What the gate over looks refused for that line is asked again.
 */
export async function acceptLine(home: Home, clock: Clock, acceptance: Acceptance): Promise<Result<Accepted>> {
  const { owner, byte, because } = acceptance;
  if (because.trim() === "") return failed("accepting a broken line needs a reason: --because");
  const record = readRecord(home.sessionRecord(owner.session, owner.agentId), sessionRecordSchema);
  if (!record.ok) return record;
  const path = record.value?.transcript ?? null;
  if (record.value === null || path === null)
    return failed(`Tama knows no transcript of the session ${JSON.stringify(owner.session)}`);
  const file = home.acceptedLines(owner.session, owner.agentId);
  const marks = readRecord(file, acceptedLinesSchema);
  if (!marks.ok) return marks;
  const accepted = new Set((marks.value?.accepted ?? []).filter((one) => one.path === path).map((one) => one.byte));
  const broken = brokenByte(path, record.value.harness, accepted);
  if (!broken.ok) return broken;
  if (broken.value !== byte) return failed(notThatByte(path, byte, broken.value));
  const mark = { path, byte, because, at: clock.iso() };
  const kept = await updateRecord(file, acceptedLinesSchema, (before) => ({
    ...before,
    accepted: [...(before?.accepted ?? []), mark],
  }));
  if (!kept.ok) return kept;
  const asked = await updateRecord(home.failedCalls(owner.session, owner.agentId), failedCallsSchema, (before) =>
    before === null ? null : releasedLooks(before),
  );
  if (!asked.ok) return asked;
  const next = brokenByte(path, record.value.harness, new Set([...accepted, byte]));
  return next.ok ? done({ path, byte, next: next.value }) : next;
}

function brokenByte(path: string, harness: string, accepted: ReadonlySet<number>): Result<number | null> {
  const reading = listEntries({ path, harness, accepted }, () => {});
  if (reading.kind === "absent") return failed(`the transcript ${path} is not there`);
  if (reading.kind === "unreadable") return failed(`cannot read the transcript ${path}: ${reading.cause}`);
  return done(reading.broken?.byte ?? null);
}

function notThatByte(path: string, byte: number, broken: number | null): string {
  const instead = broken === null ? "every line of it is a record" : `the broken line starts at byte ${broken}`;
  return `no broken line of ${path} starts at byte ${byte}: ${instead}`;
}
