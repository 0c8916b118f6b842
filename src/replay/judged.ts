import type { Meaning } from "../calls/result-meaning.ts";

/**
 * Whether a refusal was right, by what the transcript shows next: the refused call ran there after all, so its answer tells.
 *
 * The repeat rule says "sent again unchanged it gets the same answer". Right: it failed again with the same words. Wrong: it succeeded, or
 * a call kept as unanswered was answered. Undecided: it failed in other words, never ran, was interrupted, or has no answer there.
 *
 * A repeated look's refusal says "the same look gets the same answer". Right: the same answer. Wrong: another one, or a failure.
 * Undecided: it never ran, was interrupted, or has no answer there.
 *
 * What a gate says of an ending no later line can prove; it is right where the harness's own hook sent the same ending back, else
 * undecided, as is everything about tampering: the operator knows.
 */
export type Judgement = "right" | "wrong" | "undecided";

export interface Judged {
  readonly judgement: Judgement;
  /** What happened, in a person's words. */
  readonly because: string;
}

export interface RefusedRepeat {
  readonly by: "failed" | "refused" | "unanswered";
  readonly answer: string;
}

export function judgeRepeat(kept: RefusedRepeat, meaning: Meaning, text: string): Judged {
  if (meaning.kind === "never-ran") return undecided("the repeat never ran");
  if (kept.by === "unanswered") {
    if (meaning.kind === "interrupted") return right("the repeat was interrupted too");
    return wrong("the repeat was answered");
  }
  if (meaning.kind === "interrupted") return undecided("the repeat was interrupted");
  if (meaning.kind === "succeeded") return wrong("the repeat succeeded");
  return sameFailure(kept.answer, text)
    ? right("the repeat failed in the same words")
    : undecided("the repeat failed in other words");
}

/** `earlier` is the answer that the refusal quotes. */
export function judgeLook(earlier: string, meaning: Meaning, text: string): Judged {
  if (meaning.kind === "never-ran") return undecided("the look never ran");
  if (meaning.kind === "interrupted") return undecided("the look was interrupted");
  if (meaning.kind === "failed") return wrong("the look failed this time");
  if (saysUnchanged.test(text)) return right("the harness itself says that nothing changed");
  return withoutNoise(earlier) === withoutNoise(text)
    ? right("the look got the same answer")
    : wrong("the look got another answer");
}

export const unanswered: Judged = { judgement: "undecided", because: "the transcript holds no answer to it" };

function right(because: string): Judged {
  return { judgement: "right", because };
}

function wrong(because: string): Judged {
  return { judgement: "wrong", because };
}

function undecided(because: string): Judged {
  return { judgement: "undecided", because };
}

/** Claude Code's answer to reading a file that it has shown already. */
const saysUnchanged =
  /^(?:<[a-z-]+>)?(?:File unchanged since last read\b|Wasted call . file unchanged since your last Read\b)/;

/** What a harness adds to an answer of its own: Codex's time and chunk, Claude Code's reminders. */
function withoutNoise(text: string): string {
  return text
    .replace(/^(?:Chunk ID: \S+|Wall time: [\d.]+ seconds|Original token count: \d+)$/gm, "")
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Two failures are the same when they differ in numbers only: times, process ids, ports, temporary names. */
function sameFailure(earlier: string, now: string): boolean {
  return withoutNumbers(earlier) === withoutNumbers(now);
}

function withoutNumbers(text: string): string {
  return withoutNoise(text)
    .replace(/\b(?=[0-9a-f-]*\d)[0-9a-f][0-9a-f-]{7,}\b/gi, "0")
    .replace(/\/tmp\/[\w./-]+/g, "/tmp/0")
    .replace(/\d+(?:[.,:]\d+)*/g, "0");
}

/** A refused ending: only a hook of the harness that sent it back too tells anything. */
export function judgeEnding(sentBack: boolean): Judged {
  return sentBack
    ? right("a hook of the harness sent this very ending back")
    : undecided("whether the ending was good enough no transcript tells");
}

/** A change of what judges the session. */
export const ofTampering: Judged = undecided("whether the operator wanted it no transcript tells");
