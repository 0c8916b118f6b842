import type { Result } from "../base/result.ts";
import { blocksOf, field, textField } from "./fields.ts";
import { findFromEnd } from "./find-from-end.ts";

/** A row of a transcript of Claude Code's form, which has one for each content block of a message. */
export interface Row {
  /** The id of the assistant message it belongs to; null for any other row. */
  readonly message: string | null;
  /** The id of the row it follows. */
  readonly parent: string | null;
}

/**
 * The row a call stands in. Null where it is not there: Claude Code writes its rows in batches, some 70 ms after it asks its hooks
 * (measured), so a quick hook is nearly always ahead of it.
 */
export function rowOfCall(transcript: string, harnessCall: string): Result<Row | null> {
  return findFromEnd(transcript, JSON.stringify(harnessCall), (record) => {
    const row = rowOf(record);
    return row.message !== null && holdsCall(record, harnessCall) ? row : null;
  });
}

/** The id of the assistant message a call stands in, null where its row is not there. */
export function messageOfCall(transcript: string, harnessCall: string): Result<string | null> {
  const row = rowOfCall(transcript, harnessCall);
  return row.ok ? { ok: true, value: row.value?.message ?? null } : row;
}

export function rowOf(record: unknown): Row {
  const message = field(record, "type") === "assistant" ? textField(field(record, "message"), "id") : null;
  return { message, parent: textField(record, "parentUuid") };
}

function holdsCall(record: unknown, id: string): boolean {
  const blocks = blocksOf(field(field(record, "message"), "content"));
  return blocks.some((block) => field(block, "type") === "tool_use" && field(block, "id") === id);
}
