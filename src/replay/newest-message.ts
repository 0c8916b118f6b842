import type { AnswerEntry, FormatName } from "../transcript/entry.ts";

/** The message whose rows stand last in the file so far, with its calls; there is none once anything else followed it. */
export interface NewestMessage {
  readonly message: string;
  readonly calls: readonly string[];
}

/** Claude Code's answer directly behind one whose calls have no result is the same answer, asked for anew: `replaced` are those calls. */
export function newestAfter(
  before: NewestMessage | null,
  { message, calls }: Pick<AnswerEntry, "message" | "calls">,
  format: FormatName,
): { newest: NewestMessage | null; replaced: readonly string[] } {
  if (format !== "claude-code" || message === null) return { newest: before, replaced: [] };
  const same = before?.message === message;
  const newest = { message, calls: [...(same ? before.calls : []), ...calls.map(({ id }) => id)] };
  return { newest, replaced: same ? [] : (before?.calls ?? []) };
}
