import { done, type Result } from "../base/result.ts";
import { field } from "./fields.ts";
import { findFromEnd } from "./find-from-end.ts";
import { rowOf, rowOfCall } from "./message-of-call.ts";

/**
 * The id of the assistant message whose last row the message of a call directly follows, from a transcript of Claude Code's form; null where
 * a person's message or a call's result stands between. Claude Code asks for an answer anew when its stream breaks, and leaves what it
 * had of the first in the file with calls that nobody answers.
 */
export function messageBeforeCall(transcript: string, harnessCall: string): Result<string | null> {
  const own = rowOfCall(transcript, harnessCall);
  if (!own.ok) return own;
  let row = own.value;
  for (let step = 0; step < rowsMax && row !== null; step++) {
    const { parent, message } = row;
    if (parent === null) return done(null);
    const above = findFromEnd(transcript, JSON.stringify(parent), (record) =>
      field(record, "uuid") === parent ? rowOf(record) : null,
    );
    if (!above.ok) return above;
    if (above.value === null || above.value.message !== message) return done(above.value?.message ?? null);
    row = above.value;
  }
  return done(null);
}

/** A message has a row for each of its blocks. */
const rowsMax = 64;
