import { infrastructure } from "../base/verdict.ts";
import type { Answer } from "../words/wire.ts";

// What is said to an agent that starts one process an event, before it is put into that agent's own tongue.

export type Decision =
  | { readonly kind: "pass"; readonly context: string; readonly notes: string }
  /** `notes` is for the person alone, beside the reason. */
  | { readonly kind: "refuse"; readonly reason: string; readonly notes?: string };

/** The process's whole answer. Exit 2 is every such agent's refusal; any other exit than 0 and 2 lets the tool run. */
export interface SaidAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: 0 | 2;
}

/** The core's answers to the events that one of the agent's stands for. Which refused ending is let go is the core's alone (contract 3.6). */
export function decisionOf(answers: readonly Answer[]): Decision {
  const reasons = answers.flatMap((answer) => {
    if (!answer.ok) return [infrastructure("tama", "error" in answer ? answer.error : `cancelled: ${answer.reason}`)];
    return answer.verdict === "pass" ? [] : [answer.reason];
  });
  if (reasons.length > 0) return { kind: "refuse", reason: reasons.join("\n\n") };
  const said = (field: "context" | "notes"): string =>
    answers
      .flatMap((answer) => (answer.ok && answer.verdict === "pass" ? [answer[field] ?? ""] : []))
      .filter(Boolean)
      .join("\n\n");
  return { kind: "pass", context: said("context"), notes: said("notes") };
}

export function faultOf(cause: string): Decision {
  return { kind: "refuse", reason: infrastructure("tama", cause) };
}

/** An ending that was refused once for a fault of ours is let go the next time: nothing the model does could mend it (contract 3.6). */
export function unfitDecision({ cause, stopHookActive }: { cause: string; stopHookActive: boolean }): Decision {
  return stopHookActive ? { kind: "pass", context: "", notes: infrastructure("tama", cause) } : faultOf(cause);
}
