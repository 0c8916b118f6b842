import { expect, test } from "bun:test";
import type { PassAnswer, RefuseAnswer } from "../words/wire.ts";
import { decisionOf } from "./decision.ts";

const pass = (context = "", notes = "") => ({ kind: "pass", context, notes }) as const;

test("the core's answers become one decision; what is no verdict is a fault", () => {
  const passed: PassAnswer = { ok: true, verdict: "pass", hooks: [], context: "c" };
  const refused: RefuseAnswer = {
    ok: true,
    verdict: "refuse",
    blockedHookId: "h",
    refusal: "r-1",
    reason: "R",
    hooks: [],
  };
  expect(decisionOf([passed, { ...passed, context: "d", notes: "n" }])).toEqual(pass("c\n\nd", "n"));
  expect(decisionOf([passed, refused])).toEqual({ kind: "refuse", reason: "R" });
  expect(decisionOf([{ ok: false, cancelled: true, reason: "SIGTERM came" }])).toEqual({
    kind: "refuse",
    reason: "TAMA_HOOK_INFRASTRUCTURE: tama: cancelled: SIGTERM came",
  });
  expect(decisionOf([{ ...refused, infrastructure: true }])).toEqual({ kind: "refuse", reason: "R" });
});
