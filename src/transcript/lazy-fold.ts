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
  let wanted = triedBytes;
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
  const heldBefore = (at: number): number => at - (held[0]?.at ?? at);
  const makeRoom = (at: number): void => {
    skimMoot();
    if (heldBefore(at) > heldBytes) takeHeld();
    wanted = Math.max(triedBytes, Math.min(heldBytes, 4 * heldBefore(at)));
  };
  return {
    take: (entry, format) => {
      form = format;
      const bytes = heldBefore(entry.at);
      // Before an answer, so that calls are seldom parted from their results.
      if (bytes > 2 * wanted || (bytes > wanted && entry.kind === "answer")) makeRoom(entry.at);
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
/**
 * What is held outlives a collection and costs the next ones, so room is first made early; where nothing was moot, four times as late, since
 * looking again and again costs more (measured: a tenth of a first read; with twice as late a tenth lost on published sessions).
 */
const triedBytes = 128 * 1024;
