import type { AnswerEntry, Entry, FormatName, HarnessEntry, PersonEntry, ResultEntry } from "./entry.ts";
import { meaningOf, outcomeOf, takeOpenCall } from "./open-calls.ts";
import { type Reading, readTranscript } from "./resume.ts";

/** An entry as a person is shown it: a result also says how it ended. */
export type ShownEntry = PersonEntry | HarnessEntry | AnswerEntry | ShownResult;

export interface ShownResult extends ResultEntry {
  readonly outcome: "ok" | "error" | "refused";
  readonly tool: string;
}

export interface ListRequest {
  readonly path: string;
  /** The harness's name, or "" to see it from the records. */
  readonly harness: string;
  readonly accepted: ReadonlySet<number>;
}

interface OpenTools {
  readonly open: Record<string, string>;
}

/** Reads a whole transcript and hands over its entries in order. */
export function listEntries(request: ListRequest, show: (entry: ShownEntry) => void): Reading<unknown> {
  const fold = {
    empty: (): OpenTools => ({ open: {} }),
    take: (tools: OpenTools, entry: Entry, format: FormatName): void => {
      const one = shown(tools, entry, format);
      if (one !== null) show(one);
    },
  };
  return readTranscript({ ...request, fold, saved: null });
}

/** Codex tells one answer twice, as an item and to the model; the second is passed over. */
function shown(tools: OpenTools, entry: Entry, format: FormatName): ShownEntry | null {
  if (entry.kind === "answer") for (const call of entry.calls) tools.open[call.id] = call.tool;
  if (entry.kind !== "result") return entry;
  const tool = takeOpenCall(tools.open, entry, (call) => call.tool);
  if (tool === null && format === "codex") return null;
  return { ...entry, tool: tool ?? "", outcome: outcomeOf(meaningOf(format, tool ?? "", entry)) };
}
