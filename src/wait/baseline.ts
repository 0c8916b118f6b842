import type { Home } from "../disk/home.ts";
import { answerOfCall } from "./call-answer.ts";
import type { Answer } from "./run-once.ts";
import { lastSeen, type SeenAnswer, type Waiter } from "./seen-answers.ts";
import { sameAsTold, type Told } from "./told-answer.ts";

/** The answer that a new one must differ from. */
export type Baseline =
  | { readonly kind: "seen"; readonly digest: string }
  | { readonly kind: "told"; readonly told: Told };

export interface BaselineRequest {
  readonly home: Home;
  /** Null without a session: then nothing is known from before. */
  readonly waiter: Waiter | null;
  readonly after: string | null;
  /** The name of this wait among the session's. */
  readonly name: string;
}

export interface FoundBaseline {
  /** Null = the first run is the baseline. */
  readonly baseline: Baseline | null;
  /** What could not be read or is not known; nothing is decided here, so it is only said. */
  readonly notes: readonly string[];
}

export function findBaseline({ home, waiter, after, name }: BaselineRequest): FoundBaseline {
  if (waiter === null) return { baseline: null, notes: [] };
  const seen = lastSeen(home, waiter, name);
  const told = after === null ? null : answerOfCall(home, { ...waiter, call: after });
  const notes = [seen, told].flatMap((one) => (one === null || one.ok ? [] : [one.cause]));
  const baseline = newer(seen.ok ? seen.value : null, told?.ok === true ? told.value : null);
  const unknown = `what answered ${after ?? ""} is not known whole here, so the first run is what the answer must differ from`;
  return { baseline, notes: baseline === null && after !== null ? [...notes, unknown] : notes };
}

/** The call may have been made again after this was last waited for, with another answer. */
function newer(seen: SeenAnswer | null, told: Told | null): Baseline | null {
  if (seen !== null && (told?.at ?? "") <= seen.at) return { kind: "seen", digest: seen.digest };
  return told === null ? null : { kind: "told", told };
}

export function isSame(baseline: Baseline, answer: Answer): boolean {
  return baseline.kind === "seen" ? baseline.digest === answer.digest : sameAsTold(baseline.told, answer);
}
