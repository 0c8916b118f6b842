import { toolKind } from "../calls/kind.ts";
import { shellLine } from "../calls/shell-line.ts";
import { putsOnClipboard } from "../shell/clipboard.ts";
import type { Entry, FormatName, HarnessEntry, ResultEntry, TranscriptCall } from "./entry.ts";
import { mayChangeAnyFile } from "./known-files.ts";
import { meaningOf } from "./open-calls.ts";
import { whatItDoes } from "./opened-call.ts";
import { tellsOfChange } from "./told-change.ts";

/**
 * The newest place in a stretch of entries before which nothing counts for the ledger any more, but for calls still without an answer: a
 * person's message, or calls of which some made all looks moot and some all that was known of files. It is looked for from the end, so
 * of a long stretch only the last few calls are judged. `standing` = an ending that was sent back may stand from before; that, and what
 * was put on the clipboard, only a person's message ends.
 */
export function ledgerRestart(entries: readonly Entry[], format: FormatName, standing: boolean): number {
  const { at, filesEnd } = newestRestart(entries, format, standing);
  return openActs(entries.slice(0, filesEnd + 1), format) ? 0 : at;
}

/** Whether a call without an answer may do something yet: what that is depends on the files known when it was sent. */
function openActs(entries: readonly Entry[], format: FormatName): boolean {
  const open = new Map<string, TranscriptCall>();
  for (const entry of entries) {
    if (entry.kind === "answer") for (const call of entry.calls) open.set(call.id, call);
    if (entry.kind === "result") open.delete(entry.call);
  }
  return [...open.values()].some(({ tool }) => !["read", "search"].includes(toolKind(format, tool)));
}

/** A model that forgot may look again; a job that ended, or somebody else, may have changed what it saw. */
export function mootsLooks(entry: HarnessEntry): boolean {
  return entry.about === "compaction" || tellsOfChange(entry);
}

interface Restart {
  readonly at: number;
  /** Where the files that were known before came to their end. */
  readonly filesEnd: number;
}

function newestRestart(entries: readonly Entry[], format: FormatName, standing: boolean): Restart {
  const person = entries.findLastIndex((entry) => entry.kind === "person");
  if (person > 0) return { at: person, filesEnd: person };
  const none = { at: 0, filesEnd: 0 };
  if ((person === -1 && standing) || outlastsChanges(entries, format)) return none;
  const answered = new Set<string>();
  let looks = true;
  let filesEnd: number | null = null;
  for (let at = entries.length - 1; at > 0; at--) {
    const entry = entries[at];
    if (entry?.kind === "harness" && mootsLooks(entry)) looks = false;
    if (entry?.kind === "answer") for (const call of entry.calls) answered.delete(call.id);
    if (entry?.kind === "result") {
      answered.add(entry.call);
      const call = callOf(entries, at, entry);
      if (looks && call !== null && endsLooks(call, entry, format)) looks = false;
      // What other calls of its message did to files meanwhile, it may know or not.
      if (filesEnd === null && call !== null && isAlone(entries[at - 1], entry) && endsFiles(call, entry, format))
        filesEnd = at;
    }
    // A call and its answer are not parted.
    if (!looks && filesEnd !== null && answered.size === 0) return { at, filesEnd };
  }
  return none;
}

/** Whether some entries do what a later change does not undo: an ending sent back, a copy, the answer of a call sent before them. */
function outlastsChanges(entries: readonly Entry[], format: FormatName): boolean {
  const sent = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === "harness" && entry.about === "refused-stop") return true;
    if (entry.kind === "answer") for (const { id } of entry.calls) sent.add(id);
    if (entry.kind === "answer" && entry.calls.some((call) => copies(call, format))) return true;
    if (entry.kind === "result" && (entry.nested === null ? !sent.has(entry.call) : copies(entry.nested, format)))
      return true;
  }
  return false;
}

function copies(call: TranscriptCall, format: FormatName): boolean {
  const line = toolKind(format, call.tool) === "shell" ? shellLine(call.input) : null;
  return line !== null && putsOnClipboard(line);
}

function isAlone(before: Entry | undefined, result: ResultEntry): boolean {
  return before?.kind === "answer" && before.calls.length === 1 && before.calls[0]?.id === result.call;
}

/** The nearest one before: some models number their calls anew in each message. Null where it stands before the stretch. */
function callOf(entries: readonly Entry[], at: number, result: ResultEntry): TranscriptCall | null {
  for (let before = at - 1; before >= 0; before--) {
    const entry = entries[before];
    const call = entry?.kind === "answer" ? entry.calls.find((one) => one.id === result.call) : undefined;
    if (call !== undefined) return call;
  }
  return result.nested;
}

function endsLooks(call: TranscriptCall, result: ResultEntry, format: FormatName): boolean {
  const meaning = meaningOf(format, call.tool, result);
  if (meaning.kind === "never-ran") return false;
  const { effect, write } = whatItDoes(call, format);
  return effect === "waits" || (effect === "changes" && !(write && meaning.kind === "failed"));
}

function endsFiles(call: TranscriptCall, result: ResultEntry, format: FormatName): boolean {
  if (meaningOf(format, call.tool, result).kind === "never-ran") return false;
  const kind = toolKind(format, call.tool);
  const line = kind === "shell" ? shellLine(call.input) : null;
  return line === null ? kind === "other" : mayChangeAnyFile(line);
}
