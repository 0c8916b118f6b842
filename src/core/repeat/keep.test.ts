import { expect, test } from "bun:test";
import type { FailedCalls, KeptCall } from "../../words/kept-calls.ts";
import { keptFailure, keptRefusal, keptUnanswered, released } from "./keep.ts";

const at = "2026-01-01T00:00:00.000Z";
const request = { tool: "bash", at, catalog: "c", answers: ["b", "a"], closures: ["D-2@E-2"] };
const failing = { ...request, text: "\n  no \nmore", besideWork: false, needs: null };

test("a failure is kept with its first line, its whole answer, and every closure it accounts for", () => {
  const kept = keptFailure(undefined, failing);
  expect(kept).toEqual({
    tool: "bash",
    said: "no",
    answer: "\n  no \nmore",
    by: "failed",
    at,
    catalog: "c",
    answers: ["a", "b"],
    retry: null,
    closures: ["D-2@E-2"],
  });
  const again = keptFailure({ ...kept, retry: "x", closures: ["D-1@E-1", "D-2@E-2"] }, failing);
  expect(again).toMatchObject({ retry: null, closures: ["D-1@E-1", "D-2@E-2"] });
});

test("without a register there is no list yet, and an old one is not carried as complete", () => {
  expect(keptFailure(undefined, { ...failing, closures: undefined }).closures).toBeUndefined();
});

test("the free repeat is given once", () => {
  const first = keptFailure(undefined, { ...failing, besideWork: true });
  expect(first.free).toBe(true);
  expect(keptFailure(first, { ...failing, besideWork: true }).free).toBeUndefined();
  expect(keptFailure(undefined, failing).free).toBeUndefined();
});

test("a refusal names its hook, an unanswered call its start and its harness's id", () => {
  expect(keptRefusal(undefined, { ...request, reason: "no\nnever", hook: "guard" })).toMatchObject({
    by: "refused",
    said: "no",
    answer: "no\nnever",
    hook: "guard",
  });
  const started = { tool: "bash", at, harnessCall: "c1", message: 1 };
  expect(keptUnanswered(undefined, request, started, null)).toMatchObject({
    by: "unanswered",
    at,
    answer: "",
    said: `it started at ${at} and its result never came back: it hung until it was interrupted, its process was killed, or its harness ended before it answered`,
    harnessCalls: ["c1"],
  });
  expect(keptUnanswered(undefined, request, started, "Command aborted\npartial")).toMatchObject({
    answer: "Command aborted\npartial",
    said: `it started at ${at} and its result never came back: Command aborted`,
  });
  expect(keptUnanswered(undefined, request, started, " ").said).toEndWith(": it was interrupted");
});

test("what is kept is masked before it is cut, at a bounded size and cost", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const megabyte = 1024 * 1024;
  for (const before of [0, megabyte / 2 - 20, megabyte / 2, megabyte - 20, megabyte]) {
    const text = `${"x".repeat(before)} ${secret} ${"y".repeat(3 * megabyte)}`;
    const { answer } = keptFailure(undefined, { ...failing, text });
    expect(answer).not.toContain(secret.slice(0, 12));
    expect(Buffer.byteLength(answer)).toBeLessThan(megabyte + 100);
    const left = Number(/… (\d+) bytes left out/.exec(answer)?.[1]);
    expect(left).toBeGreaterThan(2 * megabyte);
  }
});

const record = (calls: Readonly<Record<string, KeptCall["by"]>>, spent: string[] = []): FailedCalls => ({
  calls: Object.fromEntries(
    Object.entries(calls).map(([call, by]) => [call, { ...keptFailure(undefined, failing), by }] as const),
  ),
  spent,
});

test("a person's message lifts all but the unanswered", () => {
  const after = released(record({ a: "failed", b: "refused", c: "unanswered" }, ["z"]), { by: "person" });
  expect([Object.keys(after.calls), after.spent]).toEqual([["c"], []]);
});

test("a change lifts all but itself; an unknown failing one marks what it lifted as spent", () => {
  const before = record({ a: "failed", b: "unanswered", self: "failed" }, ["z"]);
  const change = released(before, { by: "effect", exceptCall: "self", spends: false });
  expect([Object.keys(change.calls), change.spent]).toEqual([["self"], []]);
  const failed = released(before, { by: "effect", exceptCall: "self", spends: true });
  expect([Object.keys(failed.calls), failed.spent]).toEqual([["self"], ["z", "a", "b"]]);
});
