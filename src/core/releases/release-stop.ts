import type { Clock } from "../../base/clock.ts";
import { sayOnStderr } from "../../base/descriptors.ts";
import { done, failed, type Result } from "../../base/result.ts";
import { untilAnswerStands } from "../../facts/late-rows.ts";
import { acceptedBytes, transcriptOf } from "../../facts/transcript-reading.ts";
import { stepsFold } from "../../transcript/steps-since.ts";
import { foldSince, lastAnswer, type TailRequest } from "../../transcript/tail.ts";
import type { HookEvent } from "../../words/event.ts";
import type { SessionRecord } from "../../words/records.ts";
import type { Answer, PassAnswer, RefuseAnswer } from "../../words/wire.ts";
import { type Cycle, cycleNote, cycleOf } from "./cycle.ts";
import { providerRefusalNote, providerRefusalOf } from "./provider-refusal.ts";

export interface StopToRelease {
  readonly event: HookEvent;
  readonly answer: Answer;
  readonly harness: string;
  readonly tamaHome: string;
  readonly clock: Clock;
  /** This session's record as it stood before this stop. */
  readonly record: () => Result<SessionRecord | null>;
  /** Whether that record can be written. */
  readonly canKeep: () => Promise<Result<void>>;
}

/**
 * The two releases of a refused stop, read once in the core (contract 3.6). What cannot be read or measured is said on stderr, and the
 * refusal stands. Only a stop that was sent back already is let through then, with the cause in its notes: where the session record cannot
 * be read, and where the refusal is a fault, which judged nothing and must not hold a session that nobody can tell a step of.
 */
export async function releaseStop(stop: StopToRelease): Promise<Answer> {
  const { event, answer } = stop;
  if (event.event !== "stop" || !answer.ok || answer.verdict !== "refuse") return answer;
  const request = tailOf(stop);
  if (request !== null) {
    await untilAnswerStands(stop.clock, request, event.payload.answer);
    const last = lastAnswer(request);
    if (!last.ok) sayOnStderr(unmeasured(request, last.cause));
    const refusal = last.ok ? providerRefusalOf(last.value, answer) : null;
    if (refusal !== null) return passed(answer, { providerRefusal: refusal, notes: providerRefusalNote(refusal) });
  }
  const sentBack = event.payload.stopHookActive === true;
  const record = stop.record();
  if (!record.ok) {
    sayOnStderr(`tama: ${record.cause}`);
    return sentBack ? passed(answer, { notes: untold(record.cause, answer) }) : answer;
  }
  const cycle = request === null ? failed("this stop names no transcript") : cycleSince(record.value, answer, request);
  if (!cycle.ok) sayOnStderr(request === null ? noTranscript : unmeasured(request, cycle.cause));
  else if (cycle.value !== null) return passed(answer, { cycle: cycle.value, notes: cycleNote(cycle.value) });
  if (!sentBack || answer.infrastructure !== true) return answer;
  // Where the record cannot be written, no refusal will ever be found in it.
  const told = cycle.ok ? await stop.canKeep() : cycle;
  return told.ok ? answer : passed(answer, { notes: untold(told.cause, answer) });
}

function untold(cause: string, answer: RefuseAnswer): string {
  return `The stop is let through, because it was sent back once and whether a step was left cannot be told: ${cause}\nWhat refused it:\n${answer.reason}`;
}

function tailOf(stop: StopToRelease): TailRequest | null {
  const of = transcriptOf(stop.tamaHome, stop.event, stop.harness);
  if (of === null) return null;
  const accepted = acceptedBytes(of);
  if (!accepted.ok) sayOnStderr(`tama: ${accepted.cause}`);
  return { path: of.path, harness: stop.harness, accepted: accepted.ok ? accepted.value : new Set() };
}

/** Null = there was a step, or no refused stop to measure from. */
function cycleSince(record: SessionRecord | null, now: RefuseAnswer, request: TailRequest): Result<Cycle | null> {
  const previous = record?.stops.at(-1);
  if (previous === undefined || previous.verdict !== "refuse" || previous.blockedHookId == null) return done(null);
  const { transcriptBytes } = previous;
  if (transcriptBytes === null) return failed("it was not there at the last stop");
  const since = foldSince(request, { bytes: transcriptBytes, lastEntry: previous.lastEntry ?? null }, stepsFold);
  if (!since.ok) return since;
  return done(cycleOf({ blockedHookId: previous.blockedHookId, reason: previous.reason ?? "" }, now, since.value));
}

const noTranscript =
  "tama: this stop names no transcript, so whether a step was left cannot be told; the refusal stands";

function unmeasured({ path }: TailRequest, cause: string): string {
  return `tama: the session transcript ${path} cannot be read as records, so whether a step was left cannot be told and the refusal stands: ${cause}`;
}

function passed(answer: RefuseAnswer, more: Pick<PassAnswer, "notes" | "cycle" | "providerRefusal">): PassAnswer {
  return { ok: true, verdict: "pass", hooks: answer.hooks, ...more };
}
