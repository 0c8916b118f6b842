import type { Result } from "../base/result.ts";
import { findFromEnd } from "./find-from-end.ts";

/**
 * The id of the assistant message a call stands in, from a transcript of Claude Code's form: one row a content block, all with the
 * message's id. Null where the row is not there: Claude Code writes its rows in batches, some 70 ms after it asks its hooks (measured), so
 * a quick hook is nearly always ahead of it.
 */
export function messageOfCall(transcript: string, harnessCall: string): Result<string | null> {
  return findFromEnd(transcript, JSON.stringify(harnessCall), (record) => messageIn(record, harnessCall));
}

function messageIn(record: unknown, harnessCall: string): string | null {
  const message = field(record, "message");
  const content = field(message, "content");
  const id = field(message, "id");
  if (field(record, "type") !== "assistant" || !Array.isArray(content) || typeof id !== "string") return null;
  const calls = content.filter((block) => field(block, "type") === "tool_use");
  return calls.some((block) => field(block, "id") === harnessCall) ? id : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null;
}
