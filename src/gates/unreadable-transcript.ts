import { quotedFlag } from "../base/quoted-word.ts";
import type { UnreadableTranscript } from "./gate.ts";

/** What cannot be read, why, and where: the sentence all gates share (spec: conduct gates). `so` is what cannot be told without it. */
export function unreadableSentence(transcript: UnreadableTranscript, so: string): string {
  return `the session transcript ${transcript.path} cannot be read as records, so ${so}: ${transcript.cause}`;
}

/** Whose transcript it is, as an event names it; a subagent's is its own. */
export interface TranscriptOwner {
  readonly session?: string | null | undefined;
  readonly agentId?: string | null | undefined;
}

/** The way on, which is the operator's: nobody else may say that a lost record does not matter. */
export function wayPastUnreadable(transcript: UnreadableTranscript, owner: TranscriptOwner): string {
  const flags = ownerFlags(owner);
  // Without a session there is nobody of whom it could be kept that the line was accepted.
  if (transcript.byte === null || flags === null)
    return "The operator makes the file readable again; then send the call once more.";
  return `The operator can pass over that line: tama transcript accept ${transcript.byte} ${flags} --because "<why it does not matter>".`;
}

/** The flags by which a printed command names a session, or a subagent of it; null where an event names none. */
export function ownerFlags({ session, agentId }: TranscriptOwner): string | null {
  if (session == null || session === "") return null;
  const agent = agentId == null || agentId === "" ? "" : ` ${quotedFlag("--agent", agentId)}`;
  return `${quotedFlag("--session", session)}${agent}`;
}
