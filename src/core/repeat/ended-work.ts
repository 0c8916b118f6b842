import { ownValue } from "../../base/own-value.ts";
import { findFromEnd } from "../../transcript/find-from-end.ts";
import { entriesOf, formatNamed, isSubagentFile } from "../../transcript/format.ts";
import type { KeptCall } from "../../words/kept-calls.ts";
import type { Call } from "./call.ts";
import { isFull, type RepeatSetting } from "./store.ts";

/** What stands in the record by which a harness tells the session that something it had started has ended. */
const marks: Readonly<Record<string, string>> = { "claude-code": "task-notification", omp: "async-result" };

/**
 * Whether the harness told the session, after a call was kept, that work it had started has ended: that work ran behind the call. No event
 * tells of it, so the end of the transcript is asked, and only for a call that is about to be held. What cannot be read says nothing,
 * and the call stays held.
 */
export function releasedByAnEnd(setting: RepeatSetting, call: Call, kept: KeptCall): boolean {
  const format = formatNamed(setting.harness);
  const mark = ownValue(marks, format ?? "");
  const path = call.transcript ?? "";
  if (format === null || mark === undefined || path === "" || !isFull(setting)) return false;
  const newest = findFromEnd(path, mark, (record) => {
    if (typeof record !== "object" || record === null) return null;
    for (const entry of entriesOf(format, record, 0, isSubagentFile(path)))
      if (entry.kind === "harness" && entry.about === "notice") return entry.time;
    return null;
  });
  return newest.ok && newest.value !== null && Date.parse(newest.value) > Date.parse(kept.at);
}
