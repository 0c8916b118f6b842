import type { DefectRegister, KeptCall } from "../../words/records.ts";
import { type BoundCall, closuresOf, openDefects } from "./closures.ts";

/** What deciding over one kept call needs to know; loaded before, so the rule itself is pure. */
export interface RepeatFacts {
  readonly catalog: string;
  /** The ids kept under judgements/ now. */
  readonly answers: readonly string[];
  readonly register: DefectRegister | null;
  /** The gate that decides calls an open defect binds is declared. */
  readonly defectGate: boolean;
  /** No other call of this call's assistant message is known. */
  readonly alone: boolean;
}

/** `closures` is what the kept call must account for from now on, written before the call runs. */
export type RepeatDecision =
  | { readonly kind: "hold"; readonly closures?: readonly string[] }
  | { readonly kind: "admit"; readonly closures?: readonly string[] };

/** The gate an open defect hands a bound call to. */
export const defectGateId = "block-defective-functionality";

/** Whether a kept call sent again unchanged is held (spec: calls). Who may release it otherwise has removed it from the record already. */
export function decideRepeat(kept: KeptCall, call: BoundCall, facts: RepeatFacts): RepeatDecision {
  if (openDefects(facts.register, call).length > 0) return { kind: facts.defectGate ? "admit" : "hold" };
  const closures = closuresOf(facts.register, call);
  if (kept.retry !== null && kept.retry !== "") return { kind: "admit" };
  if (kept.free === true && facts.alone) return { kind: "admit" };
  if (kept.by === "refused" && kept.catalog !== facts.catalog) return { kind: "admit" };
  if (kept.by === "refused" && facts.answers.some((id) => !kept.answers.includes(id))) return { kind: "admit" };
  if (kept.closures === undefined) return { kind: "hold", closures };
  const known = kept.closures;
  const fresh = closures.filter((closure) => !known.includes(closure));
  return fresh.length > 0 ? { kind: "admit", closures: [...known, ...fresh] } : { kind: "hold" };
}
