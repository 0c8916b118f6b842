import { type Meaning, resultMeaning } from "../calls/result-meaning.ts";
import type { FormatName, ResultEntry, TranscriptCall } from "./entry.ts";

/** What a result says of its call, which alone knows the tool (design: gates, "A failure"). */
export function meaningOf(format: FormatName, tool: string, result: ResultEntry): Meaning {
  const { text, isError, details } = result;
  return resultMeaning({ harness: format, tool, text, isError, details });
}

/** A call's answer in one word (design: gates, "The transcript"). */
export function outcomeOf(meaning: Meaning): "ok" | "error" | "refused" {
  if (meaning.kind === "succeeded") return "ok";
  return meaning.kind === "never-ran" ? "refused" : "error";
}

/** Calls without an answer yet, by the harness's id. A result takes its call out; one nobody asked for is null. */
export function takeOpenCall<Open>(
  open: Record<string, Open>,
  result: ResultEntry,
  opened: (call: TranscriptCall) => Open,
): Open | null {
  const found = Object.hasOwn(open, result.call) ? open[result.call] : undefined;
  if (found !== undefined) {
    delete open[result.call];
    return found;
  }
  return result.nested === null ? null : opened(result.nested);
}
