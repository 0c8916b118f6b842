import { keptTextBytesMax } from "../../base/limits.ts";
import { maskedCut } from "../../base/mask.ts";
import { firstLine } from "../../base/printable.ts";
import type { FailedCalls, KeptCall, StartedCall } from "../../words/kept-calls.ts";

/** What is the same in every way of keeping a call. `closures` undefined = the register could not be read; the next ask fills it in. */
export interface KeepRequest {
  readonly tool: string;
  readonly at: string;
  readonly catalog: string;
  readonly answers: readonly string[];
  readonly closures: readonly string[] | undefined;
}

export interface FailureRequest extends KeepRequest {
  readonly text: string;
  /** It failed beside a sibling that is no look. */
  readonly besideWork: boolean;
  /** The file that must be read before this call can succeed. */
  readonly needs: string | null;
}

/** A failure of the work itself. A repeat that fails again is kept again: no retry reason, no free repeat, and every closure accounted. */
export function keptFailure(earlier: KeptCall | undefined, failure: FailureRequest): KeptCall {
  return {
    ...base("failed", earlier, failure, failure.text),
    ...(failure.besideWork && earlier === undefined ? { free: true } : {}),
    ...(failure.needs === null ? {} : { needs: failure.needs }),
  };
}

export function keptRefusal(
  earlier: KeptCall | undefined,
  request: KeepRequest & { readonly reason: string; readonly hook: string },
): KeptCall {
  return { ...base("refused", earlier, request, request.reason), hook: request.hook };
}

/** A call whose result never came back, or came back only to say that it was interrupted (`text`). `at` is its start. */
export function keptUnanswered(
  earlier: KeptCall | undefined,
  request: Omit<KeepRequest, "at" | "tool">,
  started: StartedCall,
  text: string | null,
): KeptCall {
  const kept = base("unanswered", earlier, { ...request, tool: started.tool, at: started.at }, text ?? "");
  const because = text === null ? lost : kept.said === "" ? "it was interrupted" : kept.said;
  return {
    ...kept,
    said: `it started at ${started.at} and its result never came back: ${because}`,
    ...(started.harnessCall === null ? {} : { harnessCalls: [started.harnessCall] }),
  };
}

const lost = "it hung until it was interrupted, its process was killed, or its harness ended before it answered";

function base(by: KeptCall["by"], earlier: KeptCall | undefined, request: KeepRequest, text: string): KeptCall {
  const answer = maskedCut(text, keptTextBytesMax);
  return {
    tool: request.tool,
    said: firstLine(answer),
    answer,
    by,
    at: request.at,
    catalog: request.catalog,
    answers: [...request.answers].sort(),
    retry: null,
    ...(request.closures === undefined
      ? {}
      : { closures: [...new Set([...(earlier?.closures ?? []), ...request.closures])] }),
  };
}

/** Whose release it is: a person's message lifts no unanswered call (nearly every interruption is followed by one). */
export type Release =
  | { readonly by: "person" }
  /** A call that changed something; `exceptCall` is that call itself. `spends` = it was an unknown call that failed: what it lifts failing again is no change. */
  | { readonly by: "effect"; readonly exceptCall: string | null; readonly spends: boolean };

/** The gate over looks, whose refusals are lifted by what it counts as a change itself. */
const looksGateId = "block-wait-polling";

/**
 * The record without the calls that the gate over looks refused: a compaction or a wait lets the same look pass there, so the repeat rule
 * must not hold it either.
 */
export function releasedLooks(record: FailedCalls): FailedCalls {
  const kept = Object.entries(record.calls).filter(([, one]) => one.by !== "refused" || one.hook !== looksGateId);
  return { ...record, calls: Object.fromEntries(kept) };
}

export function keepsNothing(record: FailedCalls): boolean {
  return record.spent.length === 0 && Object.keys(record.calls).length === 0;
}

/** The record without what a release lifts. */
export function released(record: FailedCalls, release: Release): FailedCalls {
  if (keepsNothing(record)) return record;
  const stays = (call: string, kept: KeptCall): boolean =>
    release.by === "person" ? kept.by === "unanswered" : call === release.exceptCall;
  const calls = Object.fromEntries(Object.entries(record.calls).filter(([call, kept]) => stays(call, kept)));
  if (release.by !== "effect" || !release.spends) return { ...record, calls, spent: [] };
  const lifted = Object.keys(record.calls).filter((call) => !(call in calls));
  return { ...record, calls, spent: [...new Set([...record.spent, ...lifted])] };
}
