import { maskSecrets } from "../../base/mask.ts";
import { firstLine, printable } from "../../base/printable.ts";
import type { Steps } from "../../transcript/steps-since.ts";

/** A stop that was refused: by whom, and in which words. */
export interface RefusedStop {
  readonly blockedHookId: string;
  readonly reason: string;
}

/** What the record keeps of a cycle, and the answer carries. */
export interface Cycle {
  readonly blockedHookId: string;
  readonly refusal: string;
  /** The calls attempted since the last refusal, each with what refused it; none = the session only answered again. */
  readonly calls: readonly { readonly call: string; readonly said: string }[];
}

/**
 * The gates left a session no step when the stop is refused by what refused the previous one, the person wrote nothing since, and no call
 * attempted since ran (spec: conduct gates, "Gates that leave no step"). A call without an answer may have run. The previous reason was
 * kept, so its secrets are hidden.
 */
export function cycleOf(previous: RefusedStop, now: RefusedStop, since: Steps): Cycle | null {
  const same = previous.blockedHookId === now.blockedHookId || previous.reason === maskSecrets(now.reason);
  const noStep = !since.person && !since.ran && Object.keys(since.open).length === 0;
  if (!same || !noStep) return null;
  const calls = since.refused.map(({ call, said }) => ({ call: shown(call), said: shown(said) }));
  return { blockedHookId: now.blockedHookId, refusal: now.reason, calls };
}

export function cycleNote(cycle: Cycle): string {
  const attempts =
    cycle.calls.length === 0
      ? "Since that refusal the session made no call; it only answered again."
      : `Since that refusal no call ran; each was refused:\n${cycle.calls.map(({ call, said }) => `- ${call}: ${said}`).join("\n")}`;
  return `TAMA GATE CYCLE: the gates left this session no step: its stop was refused again by ${cycle.blockedHookId}. ${attempts}\nThe stop is let through. What refused it:\n${cycle.refusal}`;
}

function shown(text: string): string {
  const line = printable(firstLine(text));
  return line.length > shownCharsMax ? `${line.slice(0, shownCharsMax)}…` : line;
}

const shownCharsMax = 500;
