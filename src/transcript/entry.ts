/**
 * A transcript in one shape for all harnesses (design: gates, "The transcript"). Each entry knows where its record starts in the file and
 * when it was written.
 */
export type Entry = PersonEntry | HarnessEntry | AnswerEntry | ResultEntry;

export const formatNames = ["omp", "claude-code", "codex", "gemini", "pi"] as const;
/** Whose record form a transcript has; also the harness name the tables of `calls` are asked by. */
export type FormatName = (typeof formatNames)[number];

/** Where an entry stands. */
export interface Place {
  /** Byte of the file at which its record starts. */
  readonly at: number;
  /** As the harness wrote it, or null. */
  readonly time: string | null;
  /** The harness's id of the record. */
  readonly id: string | null;
}

/** Words a person wrote, or a command a person ran (`!cmd`). */
export interface PersonEntry extends Place {
  readonly kind: "person";
  readonly text: string;
  readonly command: string | null;
}

/** What the harness told the model by itself. */
export interface HarnessEntry extends Place {
  readonly kind: "harness";
  /**
   * `refused-stop`: an ending was sent back. `notice`: something this session started has ended or reports. `edited`: a file that the
   * session had read was changed, and by no edit of its own.
   */
  readonly about: "refused-stop" | "notice" | "edited" | "compaction" | "other";
  readonly text: string;
}

export interface AnswerEntry extends Place {
  readonly kind: "answer";
  readonly text: string;
  readonly calls: readonly TranscriptCall[];
  /** Records of one assistant message share it; null where the harness has none. */
  readonly message: string | null;
  readonly stopReason: string | null;
  readonly errorMessage: string | null;
}

export interface TranscriptCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Where the harness says the call ran, for harnesses in which that changes within a transcript. */
  readonly directory: string | null;
}

/** A call's answer. Whether it ran is told by `resultMeaning`, which needs the tool's name: see outcome.ts. */
export interface ResultEntry extends Place {
  readonly kind: "result";
  readonly call: string;
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
  /** The call itself, where the transcript has no record of it but its result (Codex's nested calls). */
  readonly nested: TranscriptCall | null;
}
