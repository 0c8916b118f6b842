import type { Refusal } from "../base/verdict.ts";
import type { FormatName } from "../transcript/entry.ts";
import type { Ledger, Look } from "../transcript/ledger.ts";
import type { HookEvent } from "../words/event.ts";

/**
 * A gate: one pure function over an event and facts. It holds no clock, no counter and no threshold and fetches nothing, so it decides
 * the same live, in a table of cases and in replay. Null passes.
 */
export interface Gate {
  readonly id: string;
  /** What must be loaded for it. */
  readonly needs: readonly FactName[];
  readonly decide: (asked: Asked) => Refusal | null;
  /** Why it judges nothing here, said on stderr; asked before it decides. */
  readonly unjudged?: (asked: Asked) => string | null;
  /** The refusal as the agent reads it, where the spec fixes other words than `refusalText`. */
  readonly wording?: (refusal: Refusal) => string;
}

export interface Asked {
  readonly event: HookEvent;
  readonly harness: string;
  readonly facts: Facts;
}

/** Everything a gate may ask for, by name; whoever runs the gate loads just what it needs. */
export interface Facts {
  readonly places?: ProtectedPlaces;
  readonly ledger?: LedgerFact;
  /** When another agent of this session last changed anything, or a person wrote to it; null = never. Read only when asked. */
  readonly changedBeside?: () => string | null;
  /** Read only when asked: most endings hand over nothing. */
  readonly ranLines?: () => RanLinesFact;
  /** The names of the shells this system declares. */
  readonly shells?: readonly string[];
  /** The lines an ending must hold word for word. */
  readonly attestation?: readonly string[];
  /** Whether a program can be started here by this word. */
  readonly programThere?: (program: string) => boolean;
}
export type FactName = keyof Facts;

/** What the session's transcript shows. `none`: the harness names none, or it is not there yet. */
export type LedgerFact =
  | { readonly kind: "none" }
  | UnreadableTranscript
  | {
      readonly kind: "read";
      readonly ledger: Ledger;
      readonly format: FormatName | null;
      /** The whole answer of a look, or null when it is no longer there. */
      readonly answerTo: (look: Look) => string | null;
    };

export type RanLinesFact =
  | { readonly kind: "none"; readonly named: boolean }
  | UnreadableTranscript
  | { readonly kind: "read"; readonly lines: readonly string[] };

export interface UnreadableTranscript {
  readonly kind: "unreadable";
  readonly path: string;
  readonly cause: string;
  /** Where the first line that is no record starts. */
  readonly byte: number | null;
}

/** What judges this session, as places on disk. All paths are absolute with links resolved. */
export interface ProtectedPlaces {
  /** Looked up only when asked, as `liesAt` is: most calls write nothing. */
  readonly places: () => readonly Place[];
  readonly userHome: string;
  readonly cwd: string;
  /** Variables by which a line may name them. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where an absolute path really lies, links resolved. */
  readonly liesAt: (path: string) => string;
  /** All that the call says. */
  readonly said?: () => string;
}

export interface Place {
  readonly path: string;
  /** What it is, in a person's words: `Tama's own state`. */
  readonly what: string;
  /** A folder protects all below it. */
  readonly folder: boolean;
  /** It is open to a call but one that says one of these words: a harness's other settings can switch its hooks off too. */
  readonly saying?: RegExp;
}

/** The refusal as the agent reads it. */
export function refusalText(gate: string, refusal: Refusal): string {
  return `BLOCKED: ${gate}: ${refusal.what} ${refusal.why} ${refusal.instead}`;
}
