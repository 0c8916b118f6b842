import { printable } from "../../base/printable.ts";
import type { AnswerEntry } from "../../transcript/entry.ts";
import type { RefusedStop } from "./cycle.ts";

/** A stop let through because the provider refused the turn's request, beside what the gates decided. */
export interface ProviderRefusal {
  readonly errorMessage: string;
  readonly blockedHookId: string;
  readonly refusal: string;
}

/**
 * A turn that ended on the provider's refusal of the request did no work, and sending it back resends the same request to the same refusal
 * (spec: conduct gates). One rule for every stop gate, read once in the core.
 */
export function providerRefusalOf(last: AnswerEntry | null, now: RefusedStop): ProviderRefusal | null {
  if (last === null || last.stopReason !== "error" || last.errorMessage === null) return null;
  if (!last.errorMessage.includes("invalid_request_error")) return null;
  return { errorMessage: last.errorMessage, blockedHookId: now.blockedHookId, refusal: now.reason };
}

export function providerRefusalNote(refusal: ProviderRefusal): string {
  return `The provider refused this turn's request: ${printable(refusal.errorMessage)}\nSent back it would get the same refusal, so the stop is let through, whatever the gates decided. Theirs was ${refusal.blockedHookId}'s:\n${refusal.refusal}`;
}
