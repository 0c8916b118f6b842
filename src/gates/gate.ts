import type { Refusal } from "../base/verdict.ts";
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
}

export interface Asked {
  readonly event: HookEvent;
  readonly harness: string;
  readonly facts: Facts;
}

/** Everything a gate may ask for, by name; whoever runs the gate loads just what it needs. */
export interface Facts {
  readonly places?: ProtectedPlaces;
}
export type FactName = keyof Facts;

/** What judges this session, as places on disk. All paths are absolute with links resolved. */
export interface ProtectedPlaces {
  readonly places: readonly Place[];
  readonly userHome: string;
  readonly cwd: string;
  /** Links resolved in the paths a call names: as named → where it really is. */
  readonly real: Readonly<Record<string, string>>;
}

export interface Place {
  readonly path: string;
  /** What it is, in a person's words: `Tama's own state`. */
  readonly what: string;
  /** A folder protects all below it. */
  readonly folder: boolean;
}

/** The refusal as the agent reads it. */
export function refusalText(gate: string, refusal: Refusal): string {
  return `BLOCKED: ${gate}: ${refusal.what} ${refusal.why} ${refusal.instead}`;
}
