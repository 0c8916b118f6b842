import { causeOf } from "../base/result.ts";
import { infrastructure } from "../base/verdict.ts";
import { type HookEvent, isEventName, parseEvent } from "../words/event.ts";
import { type FactName, type Facts, refusalText } from "./gate.ts";
import { gateNamed } from "./gates.ts";

/** How a built-in gate ends, in the terms of a hook's own contract: 0 pass, 2 refuse, 70 infrastructure (contract 4). */
export interface GateEnding {
  readonly code: 0 | 2 | 70;
  /** With a refusal: what, why, instead and evidence as one JSON object, which `tama why` shows apart. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Loads what a gate needs for an event; a cause in words when that cannot be had. */
export type FactLoader = (needs: readonly FactName[], event: HookEvent, harness: string) => Promise<Facts | string>;

/** One gate over one event, through whichever door it came: pool, `tama hook`, replay or bench. */
export async function runGate(id: string, stdin: string, loadFacts: FactLoader): Promise<GateEnding> {
  const fault = (cause: string): GateEnding => ({ code: 70, stdout: "", stderr: infrastructure(id, cause) });
  const gate = await gateNamed(id);
  if (gate === null) return fault("this release carries no such gate");
  const read = readEvent(stdin);
  if (typeof read === "string") return fault(read);
  try {
    const facts = await loadFacts(gate.needs, read.event, read.harness);
    if (typeof facts === "string") return fault(facts);
    const asked = { event: read.event, harness: read.harness, facts };
    const unjudged = gate.unjudged?.(asked) ?? null;
    if (unjudged !== null) return { code: 0, stdout: "", stderr: `${id}: ${unjudged}` };
    const decided = gate.decide(asked);
    if (decided === null) return { code: 0, stdout: "", stderr: "" };
    const text = gate.wording?.(decided) ?? refusalText(id, decided);
    return { code: 2, stdout: JSON.stringify(decided), stderr: text };
  } catch (thrown) {
    return fault(`a bug in this gate: ${causeOf(thrown)}`);
  }
}

function readEvent(stdin: string): { readonly event: HookEvent; readonly harness: string } | string {
  let value: unknown;
  try {
    value = JSON.parse(stdin);
  } catch (thrown) {
    return `the event on stdin is no JSON: ${causeOf(thrown)}`;
  }
  if (typeof value !== "object" || value === null || !("event" in value))
    return "the event on stdin is no object with an event";
  if (!isEventName(value.event)) return `unknown event ${JSON.stringify(value.event)}`;
  const event = parseEvent(value.event, value);
  if (typeof event === "string") return event;
  const tama = "tama" in value ? value.tama : null;
  const harness =
    typeof tama === "object" && tama !== null && "harness" in tama && typeof tama.harness === "string"
      ? tama.harness
      : "";
  return { event, harness };
}
