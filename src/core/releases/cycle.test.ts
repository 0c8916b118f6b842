import { expect, test } from "bun:test";
import { type Steps, stepsFold } from "../../transcript/steps-since.ts";
import { cycleNote, cycleOf } from "./cycle.ts";

const before = { blockedHookId: "gate-a", reason: "BLOCKED: gate-a: work remains" };
const since = (more: Partial<Steps>): Steps => ({ ...stepsFold.empty(), ...more });

test("a session that only answered again, or whose every call was refused, had no step", () => {
  expect(cycleOf(before, before, since({}))).toMatchObject({ blockedHookId: "gate-a", calls: [] });
  const refused = [{ call: "bash: npm test", said: "BLOCKED: not now\nand more" }];
  const cycle = cycleOf(before, before, since({ refused }));
  expect(cycle?.calls).toEqual([{ call: "bash: npm test", said: "BLOCKED: not now" }]);
  if (cycle === null) throw new Error("no cycle");
  expect(cycleNote(cycle)).toStartWith("TAMA GATE CYCLE: the gates left this session no step");
  expect(cycleNote(cycle)).toContain("- bash: npm test: BLOCKED: not now");
  expect(cycleNote(cycle)).toContain(before.reason);
});

test("the same refusal is enough, also through another gate", () => {
  expect(cycleOf({ ...before, blockedHookId: "gate-b" }, before, since({}))).not.toBeNull();
  expect(cycleOf({ blockedHookId: "gate-b", reason: "other" }, before, since({}))).toBeNull();
});

test("a call that ran, one without an answer, and a person's message keep the refusal", () => {
  expect(cycleOf(before, before, since({ ran: true }))).toBeNull();
  expect(cycleOf(before, before, since({ person: true }))).toBeNull();
  expect(cycleOf(before, before, since({ open: { c: { tool: "bash", shown: "bash: x" } } }))).toBeNull();
});
