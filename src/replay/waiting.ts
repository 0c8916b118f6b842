import { keptTextBytesMax } from "../base/limits.ts";
import { maskedCut } from "../base/mask.ts";
import type { Owner } from "../core/repeat/call.ts";
import type { Check } from "../core/repeat/gate.ts";
import { repeatRefusal } from "../core/repeat/refusal.ts";
import type { meaningOf } from "../transcript/open-calls.ts";
import type { GateSaid } from "./ask-gates.ts";
import type { Ending } from "./ending.ts";
import { repeatRule } from "./gates-asked.ts";
import { type Judged, judgeEnding, judgeLook, judgeRepeat, ofTampering, unanswered } from "./judged.ts";
import type { LookKind } from "./look-kind.ts";
import type { PlaceOfRefusal, Refused } from "./session-replay.ts";
import { shownText } from "./shown.ts";

/** A refusal waits for its call's answer, which tells whether it was right. */
export interface Waiting {
  readonly refused: Omit<Refused, keyof Judged | "got">;
  readonly judge: (meaning: Meaning, text: string) => Judged;
}

type Meaning = ReturnType<typeof meaningOf>;

export function waitingRepeat(
  owner: Owner,
  call: string,
  held: Extract<Check, { kind: "held" }>,
  place: PlaceOfRefusal,
): Waiting {
  const { by, answer } = held.kept;
  const { reason } = repeatRefusal(owner, call, held);
  return {
    refused: { ...place, gate: repeatRule, reason: shownText(reason, reasonBytes), kind: by },
    // What is kept of an answer is without its secrets, and cut.
    judge: (meaning, text) => judgeRepeat({ by, answer }, meaning, maskedCut(text, keptTextBytesMax)),
  };
}

/** `lookKind` says what a refused look looks at. */
export function waitingGate(said: GateSaid, place: PlaceOfRefusal, lookKind: () => LookKind): Waiting {
  const reason = shownText(said.reason, reasonBytes);
  const looks = isOfLooks(said);
  return {
    refused: { ...place, gate: said.gate, reason, kind: looks ? lookKind() : null },
    judge: (meaning, text) => (looks ? judgeLook(said.evidence ?? "", meaning, said.asEvidence(text)) : ofTampering),
  };
}

export const isOfLooks = ({ gate }: GateSaid): boolean => gate === "block-wait-polling";

/** What became of a refused call; null = the transcript holds no answer to it. */
export function answeredRefusal({ refused, judge }: Waiting, meaning: Meaning | null, text: string): Refused {
  const judged = meaning === null ? unanswered : judge(meaning, text);
  return { ...refused, ...judged, got: shownText(text, gotBytes) };
}

export function refusedEnding(said: GateSaid, ending: Ending, index: number, sentBack: boolean): Refused {
  return {
    gate: said.gate,
    index,
    byte: ending.at,
    line: null,
    time: ending.time,
    call: null,
    tool: null,
    shown: shownText(ending.text, shownBytes),
    reason: shownText(said.reason, reasonBytes),
    got: "",
    kind: null,
    ...judgeEnding(sentBack),
  };
}

const reasonBytes = 6 * 1024;
const gotBytes = 2 * 1024;
const shownBytes = 2 * 1024;
