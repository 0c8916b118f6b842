import { cutMiddle, printable } from "../base/printable.ts";
import { type Asked, type Facts, type Gate, refusalText } from "../gates/gate.ts";
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

/**
 * Asks every gate that an event reaches, as a core would, and gives what refused, in order. What was shown grows behind the facts that a
 * gate is given; only the places are another matter at each event.
 */
export function openGates(setting: PlayerSetting, shown: Shown): (event: HookEvent) => readonly GateSaid[] {
  const { onCalls, onEndings } = setting.gates;
  const facts = new Map([...onCalls, ...onEndings].map((gate) => [gate, factsFor(gate, setting, shown)]));
  return (event) => {
    const said: GateSaid[] = [];
    for (const gate of event.event === "stop" ? onEndings : onCalls) {
      const standing = facts.get(gate) ?? {};
      const known = gate.needs.includes("places") ? { ...standing, places: setting.places(event) } : standing;
      const refused = askGate(gate, { event, harness: setting.format, facts: known });
      if (refused !== null) said.push(refused);
    }
    return said;
  };
}

function askGate(gate: Gate, asked: Asked): GateSaid | null {
  if ((gate.unjudged?.(asked) ?? null) !== null) return null;
  const refusal = gate.decide(asked);
  if (refusal === null) return null;
  const reason = gate.wording?.(refusal) ?? refusalText(gate.id, refusal);
  return { gate: gate.id, reason, evidence: refusal.evidence ?? null, asEvidence };
}

/**
 * The facts of any moment. What a transcript cannot show is left out: a session that was never told of an attestation owes none, and
 * which programs its machine had is not known, so each counts as there.
 */
function factsFor(gate: Gate, setting: PlayerSetting, shown: Shown): Facts {
  const { path, format, shells, changedBeside } = setting;
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
    ...(needs.includes("changedBeside") ? { changedBeside } : {}),
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
