import type { AnswerEntry } from "../transcript/entry.ts";

/** What was said last, as far as nothing came behind it: an ending, once the turn ends. */
export interface Ending {
  readonly text: string;
  /** The byte of its first record. */
  readonly at: number;
  readonly message: string | null;
  readonly time: string | null;
}

/** One message may stand in several records. */
export function endingAfter(before: Ending | null, entry: AnswerEntry): Ending {
  const goesOn = before !== null && entry.message !== null && before.message === entry.message;
  const text = goesOn ? `${before.text}\n${entry.text}` : entry.text;
  return { text, at: goesOn ? before.at : entry.at, message: entry.message, time: entry.time };
}
