import { toolKind } from "../calls/kind.ts";
import { shellLine } from "../calls/shell-line.ts";
import type { Entry, FormatName, ResultEntry, TranscriptCall } from "./entry.ts";
import { meaningOf, takeOpenCall } from "./open-calls.ts";
import type { Fold } from "./resume.ts";

/** What a session did since a place in its transcript: whether a person wrote, whether a call ran, and which calls never did. */
export interface Steps {
  person: boolean;
  ran: boolean;
  refused: { readonly call: string; readonly said: string }[];
  open: Record<string, { readonly tool: string; readonly shown: string }>;
}

export const stepsFold: Fold<Steps> = {
  empty: () => ({ person: false, ran: false, refused: [], open: {} }),
  take: (steps, entry, format) => take(steps, entry, format),
};

function take(steps: Steps, entry: Entry, format: FormatName): void {
  switch (entry.kind) {
    case "person":
      steps.person = true;
      return;
    case "answer":
      for (const call of entry.calls) steps.open[call.id] = opened(call, format);
      return;
    case "result":
      takeResult(steps, entry, format);
      return;
    case "harness":
  }
}

function opened(call: TranscriptCall, format: FormatName): { readonly tool: string; readonly shown: string } {
  const line = toolKind(format, call.tool) === "shell" ? shellLine(call.input) : null;
  return { tool: call.tool, shown: line === null ? call.tool : `${call.tool}: ${line}` };
}

function takeResult(steps: Steps, entry: ResultEntry, format: FormatName): void {
  const call = takeOpenCall(steps.open, entry, (nested) => opened(nested, format));
  if (call === null) return;
  const never = meaningOf(format, call.tool, entry).kind === "never-ran";
  if (never || (entry.isError && !showsThatItRan(entry))) steps.refused.push({ call: call.shown, said: entry.text });
  else steps.ran = true;
}

/** An error result with no details a tool that ran reports counts as a call that never ran (spec: conduct gates). */
function showsThatItRan(entry: ResultEntry): boolean {
  const details = typeof entry.details === "object" && entry.details !== null ? Object.values(entry.details) : [];
  return details.some((value) => value !== undefined) || /^Exit code \d+/.test(entry.text);
}
