import { cutMiddle, printable } from "../base/printable.ts";
import { type Facts, type Gate, refusalText } from "../gates/gate.ts";
import { answerAt } from "../transcript/answer-at.ts";
import type { Ledger } from "../transcript/ledger.ts";
import type { RanLines } from "../transcript/ran-lines.ts";
import type { HookEvent } from "../words/event.ts";
import type { PlayerSetting } from "./player.ts";

/** One gate's refusal. */
export interface GateSaid {
  readonly gate: string;
  readonly reason: string;
  readonly evidence: string | null;
  /** An answer in the form in which the gate quotes one. */
  readonly asEvidence: (answer: string) => string;
}

/** What the transcript has shown so far. */
export interface Shown {
  readonly ledger: Ledger;
  readonly ran: RanLines;
}

/** Asks every gate that the event reaches, as a core would, and gives what refused, in order. */
export function askGates(setting: PlayerSetting, event: HookEvent, shown: Shown): readonly GateSaid[] {
  const gates = event.event === "stop" ? setting.gates.onEndings : setting.gates.onCalls;
  return gates.flatMap((gate) => {
    const asked = { event, harness: setting.format, facts: factsFor(gate, setting, event, shown) };
    if ((gate.unjudged?.(asked) ?? null) !== null) return [];
    const refusal = gate.decide(asked);
    if (refusal === null) return [];
    return [
      {
        gate: gate.id,
        reason: gate.wording?.(refusal) ?? refusalText(gate.id, refusal),
        evidence: refusal.evidence ?? null,
        asEvidence,
      },
    ];
  });
}

/**
 * The facts as of this event. What a transcript cannot show is left out: a session that was never told of an attestation owes none, and
 * which programs its machine had is not known, so each counts as there.
 */
function factsFor(gate: Gate, setting: PlayerSetting, event: HookEvent, shown: Shown): Facts {
  const { path, format, places, shells } = setting;
  const { needs } = gate;
  return {
    ...(needs.includes("ledger")
      ? {
          ledger: {
            kind: "read" as const,
            ledger: shown.ledger,
            format,
            answerTo: (look: { at: number; call: string }) => answerAt(path, format, look),
          },
        }
      : {}),
    ...(needs.includes("places") ? { places: places(event) } : {}),
    ...(needs.includes("shells") ? { shells } : {}),
    ...(needs.includes("attestation") ? { attestation: [] } : {}),
    ...(needs.includes("ranLines") ? { ranLines: () => ({ kind: "read" as const, lines: shown.ran.lines }) } : {}),
  };
}

function asEvidence(answer: string): string {
  const quoted = printable(answer);
  return cutMiddle(quoted.trim() === "" ? "(nothing: its answer was empty)" : quoted, quotedBytes);
}

/** As long as block-wait-polling quotes an answer. */
const quotedBytes = 384 * 1024;
