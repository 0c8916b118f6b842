import { builtInDeclaration } from "../gates/declarations.ts";
import type { Gate } from "../gates/gate.ts";
import { gateNamed } from "../gates/gates.ts";

/** The repeat rule's name among the gates; it stands in the core and is asked before any of them. */
export const repeatRule = "repeat";

/** Everything that decides without a model and without Oko, in the order in which it is shown. */
export const replayedGates: readonly string[] = [
  repeatRule,
  "block-wait-polling",
  "block-gate-tampering",
  "block-idle-answer",
  "block-stop-on-own-work",
  "block-unchecked-operator-commands",
];

/** Gates that are asked when a session wants to end, not about its calls. */
export const endingGates: ReadonlySet<string> = new Set(
  replayedGates.filter((id) => builtInDeclaration(id)?.declaration.on.some((one) => one.event === "stop") === true),
);

export interface GatesAsked {
  readonly repeat: boolean;
  readonly onCalls: readonly Gate[];
  readonly onEndings: readonly Gate[];
}

export async function gatesAsked(ids: readonly string[]): Promise<GatesAsked> {
  const found = await Promise.all(ids.filter((id) => id !== repeatRule).map(gateNamed));
  const gates = found.filter((gate) => gate !== null);
  return {
    repeat: ids.includes(repeatRule),
    onCalls: gates.filter((gate) => !endingGates.has(gate.id)),
    onEndings: gates.filter((gate) => endingGates.has(gate.id)),
  };
}
