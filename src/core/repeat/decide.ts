import type { KeptCall } from "../../words/kept-calls.ts";
import type { DefectRegister } from "../../words/records.ts";
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

/**
 * `list` is what a call kept before closures were accounted gets as its list, whatever is decided. `account` is the list that an admitted
 * call must have before it runs. `binding` names the open defects that hold it.
 */
export type RepeatDecision =
  | { readonly kind: "hold"; readonly list?: readonly string[]; readonly binding?: readonly string[] }
  | { readonly kind: "admit"; readonly list?: readonly string[]; readonly account?: readonly string[] };

/** The gate an open defect hands a bound call to. */
export const defectGateId = "block-defective-functionality";

/** Whether a kept call sent again unchanged is held (spec: calls). Who may release it otherwise has removed it from the record already. */
export function decideRepeat(kept: KeptCall, call: BoundCall, facts: RepeatFacts): RepeatDecision {
  const closures = closuresOf(facts.register, call);
  const decision = decideWith(kept, call, facts, closures);
  return kept.closures === undefined ? { ...decision, list: closures } : decision;
}

function decideWith(kept: KeptCall, call: BoundCall, facts: RepeatFacts, closures: readonly string[]): RepeatDecision {
  const binding = openDefects(facts.register, call);
  if (binding.length > 0) return facts.defectGate ? { kind: "admit" } : { kind: "hold", binding };
  if (kept.retry !== null && kept.retry !== "") return { kind: "admit" };
  if (kept.free === true && facts.alone) return { kind: "admit" };
  if (kept.by === "refused" && kept.catalog !== facts.catalog) return { kind: "admit" };
  if (kept.by === "refused" && facts.answers.some((id) => !kept.answers.includes(id))) return { kind: "admit" };
  const known = kept.closures ?? closures;
  const fresh = closures.filter((closure) => !known.includes(closure));
  return fresh.length > 0 ? { kind: "admit", account: [...known, ...fresh] } : { kind: "hold" };
}
