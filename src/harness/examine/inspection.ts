import type { Machine } from "../harness.ts";

/** Something that keeps Tama from doing its work, and what to do about it. */
export interface Problem {
  readonly what: string;
  readonly wayOut: string;
}

export interface Line {
  readonly command: string;
  readonly canary: (mark: string) => string;
  /** What its stdout holds when it refuses, in the harness's tongue. */
  readonly refusal: string;
}

/** What a harness room knows of its own installation; `tama doctor` judges the rest, which is the same for all. */
export interface Inspection {
  readonly installed: boolean;
  /** The file Tama's installation stands in. */
  readonly file: string;
  /** The program as the harness's own files name it; null where Tama is not installed or names none. */
  readonly binary: string | null;
  /** The very line a harness starts for a tool call, for `sh`, and the canary as it would send it; null where Tama is not installed. */
  readonly line: Line | null;
  readonly problems: readonly Problem[];
  /** What a person may want to know and is nothing wrong. */
  readonly notes: readonly string[];
  readonly transcripts: Transcripts;
  /** Tools the harness asks no hook about, known and said in its page. */
  readonly unasked: readonly string[];
}

/** Where the harness keeps its sessions' transcripts. */
export interface Transcripts {
  readonly folder: string;
  /** The session of one by its path; null for a file that is none. */
  readonly sessionOf: (path: string) => string | null;
  /** When it began, in milliseconds: what is older was copied from the session it branched off. Absent = nothing is copied. */
  readonly beganAt?: (path: string) => number | null;
}

export type Inspect = (machine: Machine) => Promise<Inspection>;
