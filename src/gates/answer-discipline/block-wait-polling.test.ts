import { describe, expect, test } from "bun:test";
import { type Ledger, ledgerFold } from "../../transcript/ledger.ts";
import { lookKey } from "../../transcript/opened-call.ts";
import { parseEvent } from "../../words/event.ts";
import type { LedgerFact } from "../gate.ts";
import { blockWaitPolling } from "./block-wait-polling.ts";

const look = { time: "2026-11-30T10:00:00.000Z", at: 120, call: "c1", message: "m1", failed: false };

function decide(
  command: string,
  change: (ledger: Ledger) => void = () => {},
  fact?: LedgerFact,
  owner: object = { session: "s 1" },
  changedBeside: () => string | null = () => null,
): string {
  const ledger = ledgerFold.empty();
  ledger.looks[lookKey("omp", "bash", null, { command: "cat a" })] = look;
  change(ledger);
  const event = parseEvent("tool_call", { tool: "bash", input: { command, i: "why" }, call: "now", ...owner });
  if (typeof event === "string") throw new Error(event);
  const read: LedgerFact = { kind: "read", ledger, format: "omp", answerTo: () => "one\n\u001b[2Jtwo" };
  const refusal = blockWaitPolling.decide({ event, harness: "omp", facts: { ledger: fact ?? read, changedBeside } });
  return refusal === null ? "pass" : (blockWaitPolling.wording?.(refusal) ?? "");
}

describe("block-wait-polling", () => {
  test("refuses the same look, quoting its answer with what could move a cursor made visible", () => {
    const said = decide("cat a");
    expect(said).toStartWith(
      "BLOCKED: this exact call already ran at 2026-11-30T10:00:00.000Z and nothing this session did since could change its answer",
    );
    expect(said).toContain("It was answered: one\n^[[2Jtwo");
    expect(said).not.toContain("\u001b");
  });

  test("passes another look, and the same where nothing of it is known", () => {
    expect(decide("cat b")).toBe("pass");
    expect(decide("cat a", () => {}, { kind: "none" })).toBe("pass");
  });

  test("passes while a call that may change something has no answer yet", () => {
    const open = { key: "k", tool: "bash", write: false, message: "m2", late: false, spoiled: false };
    const waiting = (effect: "changes" | "reads", late = false) =>
      decide("cat a", (ledger) => {
        ledger.open["other"] = { ...open, effect, late };
      });
    expect(waiting("changes")).toBe("pass");
    expect(waiting("reads")).toStartWith("BLOCKED");
    expect(waiting("changes", true)).toStartWith("BLOCKED");
  });

  test("passes when another agent of the session changed something after the look answered, not when it did before", () => {
    const after = (at: string) => decide("cat a", undefined, undefined, undefined, () => at);
    expect(after("2026-11-30T10:00:00.001Z")).toBe("pass");
    expect(after("2026-11-30T09:59:59.999Z")).toStartWith("BLOCKED");
    expect(after("2026-11-30T11:00:00.000+01:00")).toStartWith("BLOCKED");
  });

  test("passes a failed look (the repeat rule's) and a twin of the same assistant message", () => {
    const key = lookKey("omp", "bash", null, { command: "cat a" });
    expect(decide("cat a", ({ looks }) => (looks[key] = { ...look, failed: true }))).toBe("pass");
    const twin = { key, tool: "bash", effect: "reads" as const, write: false, late: false };
    expect(decide("cat a", ({ open }) => (open["now"] = { ...twin, message: "m1", spoiled: false }))).toBe("pass");
  });

  test("refuses when the transcript cannot be read, naming the byte and the operator's way past it", () => {
    const cause = "the line starting at byte 7 is not a JSON record: it is not UTF-8";
    const said = decide("cat a", () => {}, { kind: "unreadable", path: "/t.jsonl", cause, byte: 7 });
    expect(said).toStartWith(
      `BLOCKED: the session transcript /t.jsonl cannot be read as records, so whether this call repeats a look cannot be told: ${cause}`,
    );
    expect(said).toContain("tama transcript accept 7 --session 's 1' --because");
  });

  test("names a subagent in the commands it prints, since its transcript and its calls are its own", () => {
    const cause = "the line starting at byte 7 is not a JSON record: it is not UTF-8";
    const subagent = { session: "-s", agentId: "a&b" };
    expect(decide("cat a", () => {}, undefined, subagent)).toContain("tama wait --session=-s --agent 'a&b' --after ");
    const broken = { kind: "unreadable", path: "/t.jsonl", cause, byte: 7 } as const;
    expect(decide("cat a", () => {}, broken, subagent)).toContain(
      "tama transcript accept 7 --session=-s --agent 'a&b' --because",
    );
    expect(decide("cat a", () => {}, broken, {})).not.toContain("tama transcript accept");
  });
});
