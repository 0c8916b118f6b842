import { toolKind } from "../calls/kind.ts";
import { shellLine } from "../calls/shell-line.ts";
import type { Entry, FormatName, TranscriptCall } from "./entry.ts";
import { meaningOf, takeOpenCall } from "./open-calls.ts";
import type { Fold } from "./resume.ts";

/** The shell lines this session ran itself, each once. One that failed ran; one refused before it ran, or run by a person, did not. */
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
  if (entry.kind !== "result") return;
  const open = takeOpenCall(ran.open, entry, (call) => shellCall(call, format));
  if (open === null || open.line === "" || meaningOf(format, open.tool, entry).kind === "never-ran") return;
  // A line said twice moves nothing: what counts is whether it ran.
  if (!known(ran).has(open.line)) {
    known(ran).add(open.line);
    ran.lines.push(open.line);
  }
}

function shellCall(call: TranscriptCall, format: FormatName): { readonly tool: string; readonly line: string } {
  const line = toolKind(format, call.tool) === "shell" ? shellLine(call.input) : null;
  return { tool: call.tool, line: line ?? "" };
}

/** The lines as a set, made once a reading; it is no part of what is kept. */
const sets = new WeakMap<RanLines, Set<string>>();

function known(ran: RanLines): Set<string> {
  const found = sets.get(ran) ?? new Set(ran.lines);
  sets.set(ran, found);
  return found;
}
