import type { Clock } from "../../base/clock.ts";
import { sayOnStderr } from "../../base/descriptors.ts";
import type { Result } from "../../base/result.ts";
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
}

/**
 * The two releases of a refused stop, read once in the core (contract 3.6). What cannot be read or measured is said on stderr, and the
 * refusal stands; only a session record that cannot be read lets a stop through that was sent back already, with the cause in its notes.
 */
export async function releaseStop(stop: StopToRelease): Promise<Answer> {
  const { event, answer } = stop;
  if (event.event !== "stop" || !answer.ok || answer.verdict !== "refuse") return answer;
  const request = tailOf(stop);
  if (request !== null) {
    await untilAnswerStands(stop.clock, request, event.payload.answer);
    const last = lastAnswer(request);
    if (!last.ok) unmeasured(request.path, last.cause);
    const refusal = last.ok ? providerRefusalOf(last.value, answer) : null;
    if (refusal !== null) return passed(answer, { providerRefusal: refusal, notes: providerRefusalNote(refusal) });
  }
  const record = stop.record();
  if (!record.ok) {
    sayOnStderr(`tama: ${record.cause}`);
    const notes = `The stop is let through, because it was sent back once and whether a step was left cannot be told: ${record.cause}\nWhat refused it:\n${answer.reason}`;
    return event.payload.stopHookActive === true ? passed(answer, { notes }) : answer;
  }
  const cycle = request === null ? null : cycleSince(record.value, answer, request);
  return cycle === null ? answer : passed(answer, { cycle, notes: cycleNote(cycle) });
}

function tailOf(stop: StopToRelease): TailRequest | null {
  const of = transcriptOf(stop.tamaHome, stop.event, stop.harness);
  if (of === null) {
    sayOnStderr("tama: this stop names no transcript, so whether a step was left cannot be told; the refusal stands");
    return null;
  }
  const accepted = acceptedBytes(of);
  if (!accepted.ok) sayOnStderr(`tama: ${accepted.cause}`);
  return { path: of.path, harness: stop.harness, accepted: accepted.ok ? accepted.value : new Set() };
}

function cycleSince(record: SessionRecord | null, now: RefuseAnswer, request: TailRequest): Cycle | null {
  const previous = record?.stops.at(-1);
  if (previous === undefined || previous.verdict !== "refuse" || previous.blockedHookId == null) return null;
  const { transcriptBytes } = previous;
  if (transcriptBytes === null) {
    unmeasured(request.path, "it was not there at the last stop");
    return null;
  }
  const since = foldSince(request, { bytes: transcriptBytes, lastEntry: previous.lastEntry ?? null }, stepsFold);
  if (!since.ok) {
    unmeasured(request.path, since.cause);
    return null;
  }
  return cycleOf({ blockedHookId: previous.blockedHookId, reason: previous.reason ?? "" }, now, since.value);
}

function unmeasured(path: string, cause: string): void {
  sayOnStderr(
    `tama: the session transcript ${path} cannot be read as records, so whether a step was left cannot be told and the refusal stands: ${cause}`,
  );
}

function passed(answer: RefuseAnswer, more: Pick<PassAnswer, "notes" | "cycle" | "providerRefusal">): PassAnswer {
  return { ok: true, verdict: "pass", hooks: answer.hooks, ...more };
}
