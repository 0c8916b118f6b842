import { ownValue } from "../base/own-value.ts";
import { done, failed, type Result } from "../base/result.ts";
import { callIdentity } from "../calls/identity.ts";
import type { Home } from "../disk/home.ts";
import { readRecord } from "../disk/read-record.ts";
import type { ResultEntry, TranscriptCall } from "../transcript/entry.ts";
import { listEntries, type ShownEntry } from "../transcript/list-entries.ts";
import { failedCallsSchema } from "../words/kept-calls.ts";
import { acceptedLinesSchema, type SessionRecord, sessionRecordSchema } from "../words/records.ts";
import { type Told, toldAnswer } from "./told-answer.ts";

/** One call of one session, as a refusal names it (contract 5: `<call>`). */
export interface CallOf {
  readonly session: string;
  readonly agentId: string | null;
  readonly call: string;
}

/**
 * The newest answer a call got: from the session's kept calls when it failed, else from its transcript. Null where none is known whole. An
 * unreadable record is a failure naming it.
 */
export function answerOfCall(home: Home, of: CallOf): Result<Told | null> {
  const record = readRecord(home.sessionRecord(of.session, of.agentId), sessionRecordSchema);
  if (!record.ok) return record;
  const kept = readRecord(home.failedCalls(of.session, of.agentId), failedCallsSchema);
  if (!kept.ok) return kept;
  const call = ownValue(kept.value?.calls ?? {}, of.call);
  if (call?.by === "failed") {
    const harness = record.value?.harness ?? "";
    return done(toldAnswer({ harness, text: call.answer, isError: true, details: null, at: call.at }));
  }
  return record.value === null ? done(null) : inTranscript(home, of, record.value);
}

function inTranscript(home: Home, of: CallOf, record: SessionRecord): Result<Told | null> {
  const path = record.transcript;
  if (path === null || path === "") return done(null);
  const marks = readRecord(home.acceptedLines(of.session, of.agentId), acceptedLinesSchema);
  if (!marks.ok) return marks;
  const own = (marks.value?.accepted ?? []).filter((one) => one.path === path);
  const wanted = new Set<string>();
  const results: ResultEntry[] = [];
  const isWanted = (call: TranscriptCall): boolean => identities(call, record).includes(of.call);
  const take = (entry: ShownEntry): void => {
    if (entry.kind === "answer") for (const call of entry.calls) if (isWanted(call)) wanted.add(call.id);
    if (entry.kind !== "result" || entry.outcome === "refused") return;
    if (wanted.has(entry.call) || (entry.nested !== null && isWanted(entry.nested))) results.push(entry);
  };
  const reading = listEntries({ path, harness: record.harness, accepted: new Set(own.map((one) => one.byte)) }, take);
  if (reading.kind === "unreadable") return failed(`cannot read the transcript ${path}: ${reading.cause}`);
  if (reading.kind === "read" && reading.broken !== null)
    return failed(`the transcript ${path} has no JSON record at byte ${reading.broken.byte}`);
  const newest = results.at(-1);
  if (newest === undefined) return done(null);
  const { text, isError, details, time } = newest;
  return done(toldAnswer({ harness: record.harness, text, isError, details, at: time }));
}

/** A transcript may not say where a call ran; then it was where the session's events say they are, or nowhere in particular. */
function identities(call: TranscriptCall, record: SessionRecord): readonly string[] {
  const directories = new Set([call.directory, record.cwd, null]);
  return [...directories].map((directory) => callIdentity(record.harness, call.tool, directory, call.input));
}
