import { expect, test } from "bun:test";
import { ledgerFold } from "../../transcript/ledger.ts";
import { parseEvent } from "../../words/event.ts";
import type { LedgerFact } from "../gate.ts";
import { blockIdleAnswer } from "./block-idle-answer.ts";

function asked(refusedStop: { at: number; worked: boolean } | null, fact?: LedgerFact) {
  const event = parseEvent("stop", { answer: "Done." });
  if (typeof event === "string") throw new Error(event);
  const ledger = { ...ledgerFold.empty(), refusedStop };
  const read: LedgerFact = { kind: "read", ledger, format: "omp", answerTo: () => null };
  return { event, harness: "omp", facts: { ledger: fact ?? read } };
}

test("refuses an ending sent back and said again without work", () => {
  expect(blockIdleAnswer.decide(asked({ at: 1, worked: false }))).toMatchObject({
    what: "this session's ending was sent back, and it answers again without having worked since.",
    // The same words after a look alone would be refused by block-stop-on-own-work.
    instead: expect.stringContaining("take a look not made yet and end with what it showed, in other words"),
  });
});

test("passes after work, and where no ending was sent back", () => {
  expect(blockIdleAnswer.decide(asked({ at: 1, worked: true }))).toBeNull();
  expect(blockIdleAnswer.decide(asked(null))).toBeNull();
  expect(blockIdleAnswer.decide(asked(null, { kind: "none" }))).toBeNull();
});

test("judges nothing over a transcript it cannot read, and says so", () => {
  const cause = "the line starting at byte 9 is not a JSON record: it is not UTF-8";
  const broken = asked(null, { kind: "unreadable", path: "/t.jsonl", cause, byte: 9 });
  expect(blockIdleAnswer.decide(broken)).toBeNull();
  expect(blockIdleAnswer.unjudged?.(broken)).toBe(
    `the session transcript /t.jsonl cannot be read as records, so whether this session worked since its ending was sent back cannot be told: ${cause}`,
  );
});
