import { done, type Result } from "../base/result.ts";
import { field, textField } from "./fields.ts";
import { findFromEnd } from "./find-from-end.ts";

/**
 * The id of the assistant message whose last row the message of a call directly follows, from a transcript of Claude Code's form; null where
 * a person's message or a call's result stands between. Claude Code asks for an answer anew when its stream breaks, and leaves what it
 * had of the first in the file with calls that nobody answers.
 */
export function messageBeforeCall(transcript: string, harnessCall: string): Result<string | null> {
  const own = findFromEnd(transcript, JSON.stringify(harnessCall), (record) => rowOf(record, holdsCall(harnessCall)));
  if (!own.ok) return own;
  let row = own.value;
  for (let step = 0; step < rowsMax && row !== null; step++) {
    const { parent, message } = row;
    if (parent === null) return done(null);
    const above = findFromEnd(transcript, JSON.stringify(parent), (record) => rowOf(record, hasId(parent)));
    if (!above.ok) return above;
    if (above.value === null || above.value.message !== message) return done(above.value?.message ?? null);
    row = above.value;
  }
  return done(null);
}

/** A message has a row for each of its blocks. */
const rowsMax = 64;

interface Row {
  /** Null for a row that is no assistant message's. */
  readonly message: string | null;
  readonly parent: string | null;
}

function rowOf(record: unknown, isMeant: (record: unknown) => boolean): Row | null {
  if (!isMeant(record)) return null;
  const message = field(record, "type") === "assistant" ? textField(field(record, "message"), "id") : null;
  return { message, parent: textField(record, "parentUuid") };
}

function hasId(id: string): (record: unknown) => boolean {
  return (record) => field(record, "uuid") === id;
}

function holdsCall(id: string): (record: unknown) => boolean {
  return (record) => {
    const content = field(field(record, "message"), "content");
    if (field(record, "type") !== "assistant" || !Array.isArray(content)) return false;
    return content.some((block) => field(block, "type") === "tool_use" && field(block, "id") === id);
  };
}
