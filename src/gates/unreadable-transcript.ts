import type { UnreadableTranscript } from "./gate.ts";

/** What cannot be read, why, and where: the sentence all gates share (spec: conduct gates). `so` is what cannot be told without it. */
export function unreadableSentence(transcript: UnreadableTranscript, so: string): string {
  return `the session transcript ${transcript.path} cannot be read as records, so ${so}: ${transcript.cause}`;
}

/** The way on, which is the operator's: nobody else may say that a lost record does not matter. */
export function wayPastUnreadable(transcript: UnreadableTranscript, session: string | null): string {
  if (transcript.byte === null) return "Make the file readable again, then send the call once more.";
  const of = session === null ? "<session>" : shellWord(session);
  return `The operator can pass over that line: tama transcript accept ${transcript.byte} --session ${of} --because "<why it does not matter>".`;
}

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9._/:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
