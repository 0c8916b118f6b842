import type { Gate } from "./gate.ts";
import { blockGateTampering } from "./gate-discipline/block-gate-tampering.ts";

/** Every gate that comes with Tama, sorted. */
export const gates: readonly Gate[] = [blockGateTampering];

export function gateNamed(id: string): Gate | null {
  return gates.find((gate) => gate.id === id) ?? null;
}
