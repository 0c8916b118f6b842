import type { Judged } from "./judged.ts";
import type { LookKind } from "./look-kind.ts";

/** What one finished transcript shows, as plain JSON: it goes from process to process and onto the page. */
export interface SessionReplay {
  readonly path: string;
  readonly harness: string;
  readonly bytes: number;
  readonly calls: number;
  readonly endings: number;
  /** When its first and last entries were written. */
  readonly from: string | null;
  readonly to: string | null;
  /** One letter a call, in order: its effect (`r`eads, `c`hanges, `w`aits, `u`nknown), `|` where a person wrote, `.` at an ending. */
  readonly strip: string;
  readonly refusals: readonly Refused[];
  /** Why reading stopped before the end of the file. */
  readonly stopped: { readonly byte: number | null; readonly cause: string } | null;
}

export interface Refused extends Judged {
  readonly gate: string;
  /** Where in the strip it stands. */
  readonly index: number;
  readonly byte: number;
  readonly line: number | null;
  readonly time: string | null;
  /** The refused call's harness id; null for an ending. */
  readonly call: string | null;
  readonly tool: string | null;
  /** The command line, the arguments, or the ending, shortened. */
  readonly shown: string;
  /** What the agent would have been told, shortened in the middle. */
  readonly reason: string;
  /** What the transcript shows it got instead, shortened. */
  readonly got: string;
  /** Of a repeated look: what it looks at. Of a repeated call: what the earlier one was kept as. */
  readonly kind: LookKind | "failed" | "refused" | "unanswered" | null;
}

/** Where something was refused, and what. */
export type PlaceOfRefusal = Pick<Refused, "index" | "byte" | "line" | "time" | "call" | "tool" | "shown">;
