import type { LedgerFact, RanLinesFact, UnreadableTranscript } from "../gates/gate.ts";
import { answerAt } from "../transcript/answer-at.ts";
import { ledgerFold } from "../transcript/ledger.ts";
import { ranLinesFold } from "../transcript/ran-lines.ts";
import type { ReadTo } from "../transcript/resume.ts";
import type { HookEvent } from "../words/event.ts";
import { lacksOwnRow, untilWritten, writesLate } from "./late-rows.ts";
import type { FactSources } from "./load-facts.ts";
import { readSession, type TranscriptOf, transcriptOf } from "./transcript-reading.ts";

/** The ledger of looks and changes of the session an event belongs to. */
export async function ledgerOf(sources: FactSources, event: HookEvent, harness: string): Promise<LedgerFact> {
  const of = transcriptOf(sources.tamaHome, event, harness);
  if (of === null) return { kind: "none" };
  if (!writesLate(harness)) return ledgerNow(of);
  const isWhole = (fact: LedgerFact): boolean => fact.kind !== "read" || !lacksOwnRow(event, fact.ledger);
  return await untilWritten(sources.clock, () => ledgerNow(of), isWhole);
}

function ledgerNow(of: TranscriptOf): LedgerFact {
  const index = of.session === null ? null : of.home.transcriptIndex(of.session, of.agentId);
  const read = readSession(of, index, ledgerFold);
  if (!read.ok) return unreadable(of, read.cause);
  if (read.value === null) return { kind: "none" };
  const broken = brokenLine(of, read.value);
  if (broken !== null) return broken;
  const { state, format } = read.value.saved;
  return {
    kind: "read",
    ledger: state,
    format,
    answerTo: (look) => (format === null ? null : answerAt(of.path, format, look)),
  };
}

/** The shell lines the session ran itself. */
export function ranLinesOf(sources: FactSources, event: HookEvent, harness: string): RanLinesFact {
  const of = transcriptOf(sources.tamaHome, event, harness);
  if (of === null) return { kind: "none", named: false };
  const index = of.session === null ? null : of.home.ranLines(of.session, of.agentId);
  const read = readSession(of, index, ranLinesFold);
  if (!read.ok) return unreadable(of, read.cause);
  if (read.value === null) return { kind: "none", named: true };
  return brokenLine(of, read.value) ?? { kind: "read", lines: read.value.saved.state.lines };
}

function unreadable(of: TranscriptOf, cause: string): UnreadableTranscript {
  return { kind: "unreadable", path: of.path, cause, byte: null };
}

function brokenLine<State>(of: TranscriptOf, read: ReadTo<State>): UnreadableTranscript | null {
  if (read.broken === null) return null;
  const { byte, cause } = read.broken;
  return {
    kind: "unreadable",
    path: of.path,
    byte,
    cause: `the line starting at byte ${byte} is not a JSON record: ${cause}`,
  };
}
