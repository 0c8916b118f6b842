import { repeatedLook, repeatHold } from "./held-calls.ts";
import { namingTheSubagent } from "./naming-the-subagent.ts";
import { faultAtEnding, faults, tampering } from "./person-only.ts";
import { refusedEndings } from "./refused-endings.ts";
import type { Play } from "./seat.ts";

/**
 * Every way out that a refusal of the preset `strict` or of the core prints. Each entry is one session that meets the refusals and follows
 * them; what is refused at an ending needs a session of its own, the rest follows one upon another.
 */
export const ways: Readonly<Record<string, Play>> = {
  "the repeat hold: a write, any change, a changed call, `tama calls retry`, Oko's defect": oneAfterAnother(repeatHold),
  "block-wait-polling: a change, and `tama wait` as printed for lines of every shape": oneAfterAnother(repeatedLook),
  "block-gate-tampering: a person runs what is printed, or edits the file": oneAfterAnother(tampering),
  "faults: of a hook, the transcript, the kept calls, the registry": oneAfterAnother(faults),
  ...refusedEndings,
  ...faultAtEnding,
};

/** The same within a subagent, where what is printed names it. */
export const subagentWays: Readonly<Record<string, Play>> = {
  "in a subagent: `tama calls retry`, `tama wait` and `tama transcript accept` as printed, with its name":
    oneAfterAnother(namingTheSubagent),
};

function oneAfterAnother(plays: Readonly<Record<string, Play>>): Play {
  return async function* (place) {
    let ending = { say: "" };
    for (const [name, play] of Object.entries(plays)) {
      try {
        ending = yield* play(place);
      } catch (thrown) {
        throw new Error(`${name}: ${thrown instanceof Error ? thrown.message : thrown}`, { cause: thrown });
      }
    }
    return ending;
  };
}
