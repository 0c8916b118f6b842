import type { Refusal } from "../../base/verdict.ts";
import type { Asked, Gate } from "../gate.ts";
import { unreadableSentence } from "../unreadable-transcript.ts";

/**
 * After an ending was sent back, only work earns another one (spec: conduct gates): a change, or a look not made since the last change. By
 * the same ledger as block-wait-polling, so a repeated look does not buy an ending. A person's message ends the matter.
 */
export const blockIdleAnswer: Gate = { id: "block-idle-answer", needs: ["ledger"], decide, unjudged };

function unjudged({ event, facts }: Asked): string | null {
  if (event.event !== "stop" || facts.ledger?.kind !== "unreadable") return null;
  return unreadableSentence(facts.ledger, "whether this session worked since its ending was sent back cannot be told");
}

function decide({ event, facts }: Asked): Refusal | null {
  if (event.event !== "stop" || facts.ledger?.kind !== "read") return null;
  const { refusedStop } = facts.ledger.ledger;
  if (refusedStop === null || refusedStop.worked) return null;
  return {
    what: "this session's ending was sent back, and it answers again without having worked since.",
    why: "No change was made and nothing was looked at that it had not seen already: a repeated look does not buy an ending.",
    instead:
      "Do what the refusal of the last ending names: make a change, or take a look not made yet and end with what it showed, in other words. A message of a person lifts this too.",
  };
}
