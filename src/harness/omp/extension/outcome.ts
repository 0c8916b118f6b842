import { type Fields, textOrNull } from "./fields.ts";

/** What gave a dispatch up. After the first two the turn is somebody else's, and nothing is to be said. */
export type GivenUpBy =
  | "input"
  | "interrupt"
  | "activation"
  | "compaction"
  | "shutdown"
  | "tool"
  | "candidate"
  | "run"
  | "clock";

export interface Reason {
  readonly by: GivenUpBy;
  readonly cause: string;
}

export type Outcome =
  | { readonly kind: "pass"; readonly context: string | null; readonly notes: string | null }
  | { readonly kind: "refuse"; readonly reason: string }
  /** Nothing was judged: the core is missing, died, or does not speak the protocol. */
  | { readonly kind: "fault"; readonly cause: string }
  | ({ readonly kind: "cancelled" } & Reason)
  /** OMP's clock runs out before the hooks are done. */
  | { readonly kind: "late"; readonly cause: string };

/** Only what is plainly a pass is one. */
export function outcomeOf(answer: Fields | Outcome): Outcome {
  if (isOutcome(answer)) return answer;
  const { ok, verdict, reason, context, notes, cancelled, error } = answer as Record<string, unknown>;
  if (ok === true && verdict === "pass")
    return { kind: "pass", context: textOrNull(context), notes: textOrNull(notes) };
  if (ok === true && verdict === "refuse" && typeof reason === "string" && reason !== "")
    return { kind: "refuse", reason };
  if (cancelled === true) return { kind: "fault", cause: `the core gave the dispatch up: ${String(reason)}` };
  if (typeof error === "string") return { kind: "fault", cause: `the core did not take the event: ${error}` };
  return { kind: "fault", cause: `the core gave an answer that is none: ${JSON.stringify(answer).slice(0, 200)}` };
}

function isOutcome(answer: Fields | Outcome): answer is Outcome {
  return "kind" in answer;
}

/** The words of a refusal for the model. `binary` is what a person would run to look. */
export function refusalText(outcome: Exclude<Outcome, { kind: "pass" }>, binary: string): string {
  switch (outcome.kind) {
    case "refuse":
      return outcome.reason;
    case "fault":
      return faultText(outcome.cause, binary);
    case "cancelled":
      return `tama: this call did not run: ${outcome.cause}.`;
    case "late":
      return `TAMA_HOOK_INFRASTRUCTURE: tama: ${outcome.cause}. Nothing was judged.`;
  }
}

export function faultText(cause: string, binary: string): string {
  return `TAMA_HOOK_INFRASTRUCTURE: tama: ${cause}. Nothing was judged. The core is started anew for the next event; if it fails again, this says what is wrong: ${pasteable(binary)} status. Where ${binary} is gone, install Tama again, then its adapter: tama install omp.`;
}

/** A path as a shell takes it: `quotedWord` once more, since the bundler embeds a file as code or as text and not as both. */
function pasteable(path: string): string {
  return /^[A-Za-z0-9._/@:+,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
