import type { Entry, FormatName } from "./entry.ts";
import type { Fold } from "./resume.ts";

export interface LazyFold {
  readonly take: (entry: Entry, format: FormatName) => void;
  /** To be called when nothing more comes: what was held back is taken. */
  readonly settle: () => void;
}

/**
 * Holds entries back until what they did may be moot, so that most of a long transcript is read but never judged. What is held is a small
 * part of the file.
 */
export function openLazyFold<State>(fold: Fold<State>, state: State): LazyFold {
  const { restart } = fold;
  let held: Entry[] = [];
  let form: FormatName | null = null;
  const skimMoot = (): void => {
    const from = form === null ? 0 : (restart?.at(state, held, form) ?? 0);
    if (form === null || from === 0) return;
    restart?.skim(state, held.slice(0, from), form);
    held = held.slice(from);
  };
  const takeHeld = (): void => {
    if (form !== null) for (const entry of held) fold.take(state, entry, form);
    held = [];
  };
  const makeRoom = (at: number): void => {
    skimMoot();
    if (at - (held[0]?.at ?? at) > heldBytes) takeHeld();
  };
  return {
    take: (entry, format) => {
      form = format;
      const bytes = entry.at - (held[0]?.at ?? entry.at);
      // Before an answer, so that calls are seldom parted from their results.
      if (bytes > 2 * heldBytes || (bytes > heldBytes && entry.kind === "answer")) makeRoom(entry.at);
      held.push(entry);
      if (restart === undefined) takeHeld();
    },
    settle: () => {
      skimMoot();
      takeHeld();
    },
  };
}

const heldBytes = 512 * 1024;
