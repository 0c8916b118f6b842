import { toolKind } from "../calls/kind.ts";
import { commandLine, shellLine } from "../calls/shell-line.ts";
import type { Entry, FormatName, TranscriptCall } from "./entry.ts";
import { meaningOf, takeOpenCall } from "./open-calls.ts";
import type { Fold } from "./resume.ts";

/**
 * The shell lines this session ran itself, each once. One that failed ran; one refused before it ran, or run by a person, did not. But what a
 * refusal of Tama's gives to a person to run is known too: its refusal was met, and needs the reader.
 */
export interface RanLines {
  lines: string[];
  open: Record<string, { readonly tool: string; readonly line: string }>;
}

export const ranLinesFold: Fold<RanLines> = {
  empty: () => ({ lines: [], open: {} }),
  take: (ran, entry, format) => take(ran, entry, format),
};

function take(ran: RanLines, entry: Entry, format: FormatName): void {
  if (entry.kind === "answer") {
    for (const call of entry.calls) {
      const opened = shellCall(call, format);
      if (opened.line !== "") ran.open[call.id] = opened;
    }
    return;
  }
  if (entry.kind === "harness" && entry.about === "refused-stop")
    for (const line of forAPerson(entry.text)) keep(ran, line);
  if (entry.kind !== "result") return;
  const open = takeOpenCall(ran.open, entry, (call) => shellCall(call, format));
  const neverRan = meaningOf(format, open?.tool ?? "", entry).kind === "never-ran";
  if (neverRan) for (const line of forAPerson(entry.text)) keep(ran, line);
  else if (open !== null && open.line !== "") keep(ran, open.line);
}

/** A line said twice moves nothing: what counts is whether it ran. */
function keep(ran: RanLines, line: string): void {
  if (known(ran).has(line)) return;
  known(ran).add(line);
  ran.lines.push(line);
}

/** The commands that a refusal says a person or the operator is to run. */
function forAPerson(text: string): readonly string[] {
  if (!text.includes("a person runs it at their own terminal: ") && !/\b[Tt]he operator\b/.test(text)) return [];
  return [...text.matchAll(givenAway)].map(([, line = ""]) => line);
}

const givenAway =
  /(?:a person runs it at their own terminal|[Tt]he operator (?:can pass over that line|takes it out|repairs it, or moves it aside)): (.+?)\.?(?:<\/hook_prompt>)?$/gm;

function shellCall(call: TranscriptCall, format: FormatName): { readonly tool: string; readonly line: string } {
  const kind = toolKind(format, call.tool);
  const line = kind === "shell" ? shellLine(call.input) : kind === "process" ? commandLine(call.input) : null;
  return { tool: call.tool, line: line ?? "" };
}

/** The lines as a set, made once a reading; it is no part of what is kept. */
const sets = new WeakMap<RanLines, Set<string>>();

function known(ran: RanLines): Set<string> {
  const found = sets.get(ran) ?? new Set(ran.lines);
  sets.set(ran, found);
  return found;
}
