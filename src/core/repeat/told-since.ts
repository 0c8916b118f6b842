import type { Entry } from "../../transcript/entry.ts";
import { findFromEnd } from "../../transcript/find-from-end.ts";
import { entriesOf, formatNamed, isSubagentFile } from "../../transcript/format.ts";
import { tellsOfChange } from "../../transcript/told-change.ts";
import type { KeptCall } from "../../words/kept-calls.ts";
import type { Call } from "./call.ts";
import { isFull, type RepeatSetting } from "./store.ts";

/** Every record has its time behind this. */
const mark = '"timestamp"';

/**
 * Whether the transcript tells of what no event told, after a call was kept: that work which this session had started has ended, which ran
 * on behind the call; that somebody else changed a file the session had read; or that a person acted, by a command of their own (`!cmd`) or
 * by words typed while a turn ran. As with an event, a person releases no unanswered call. Read from its end back to the time of the failure, and only for a call that is about to be held. What
 * cannot be read says nothing, and the call stays held.
 */
export function releasedByTold(setting: RepeatSetting, call: Call, kept: KeptCall): boolean {
  const format = formatNamed(setting.harness);
  const path = call.transcript ?? "";
  if (format === null || path === "" || !isFull(setting)) return false;
  const since = Date.parse(kept.at);
  const ofSubagent = isSubagentFile(path);
  const told = findFromEnd(path, mark, (record): "released" | "before" | null => {
    if (typeof record !== "object" || record === null) return null;
    const entries = entriesOf(format, record, 0, ofSubagent);
    const times = entries.map(({ time }) => Date.parse(time ?? ""));
    if (times.some((time) => time <= since)) return "before";
    const later = entries.filter((_entry, at) => (times[at] ?? Number.NaN) > since);
    return later.some((entry) => tellsOfRelease(entry, kept)) ? "released" : null;
  });
  return told.ok && told.value === "released";
}

/** Whether an entry tells of what may have changed the answer of a call that was kept before it. */
function tellsOfRelease(entry: Entry, kept: KeptCall): boolean {
  if (entry.kind === "harness") return tellsOfChange(entry);
  return entry.kind === "person" && kept.by !== "unanswered";
}
