import { describe, expect, test } from "bun:test";
import type { KeptCall } from "../../words/kept-calls.ts";
import { decideRepeat, type RepeatFacts } from "./decide.ts";

const call = { tool: "bash", line: "npm run build" };
const facts: RepeatFacts = { catalog: "c1", answers: ["a1"], register: null, defectGate: false, alone: true };
const kept = (change: Partial<KeptCall> = {}): KeptCall => ({
  tool: "bash",
  said: "no",
  answer: "no",
  by: "failed",
  at: "2026-01-01T00:00:00.000Z",
  catalog: "c1",
  answers: ["a1"],
  retry: null,
  closures: [],
  ...change,
});
const open = { open: [{ id: "D-1", blocks: ["npm run build"] }], closed: [] };
const closed = (...events: (string | null)[]): RepeatFacts["register"] => ({
  open: [],
  closed: events.map((closure, at) => ({ id: `D-${at + 1}`, blocks: ["npm run build"], closure })),
});
const unlisted = (change: Partial<KeptCall> = {}): KeptCall => {
  const { closures: _none, ...rest } = kept(change);
  return rest;
};

describe("whether a kept call is held", () => {
  for (const [name, one, given, decision] of [
    ["nothing happened", kept(), {}, { kind: "hold" }],
    ["unanswered, nothing happened", kept({ by: "unanswered" }), {}, { kind: "hold" }],
    ["a reason was given", kept({ retry: "fixed" }), {}, { kind: "admit" }],
    ["an empty reason is none", kept({ retry: "" }), {}, { kind: "hold" }],
    ["one free repeat, alone", kept({ free: true }), {}, { kind: "admit" }],
    ["a free repeat beside others", kept({ free: true }), { alone: false }, { kind: "hold" }],
    ["refused, another catalog", kept({ by: "refused" }), { catalog: "c2" }, { kind: "admit" }],
    ["failed, another catalog", kept(), { catalog: "c2" }, { kind: "hold" }],
    ["unanswered, another catalog", kept({ by: "unanswered" }), { catalog: "c2" }, { kind: "hold" }],
    ["refused, a new judgement", kept({ by: "refused" }), { answers: ["a1", "a2"] }, { kind: "admit" }],
    ["refused, a judgement gone", kept({ by: "refused" }), { answers: [] }, { kind: "hold" }],
    ["failed, a new judgement", kept(), { answers: ["a1", "a2"] }, { kind: "hold" }],
    ["bound by an open defect", kept(), { register: open }, { kind: "hold", binding: ["D-1"] }],
    ["bound, with a reason", kept({ retry: "x" }), { register: open }, { kind: "hold", binding: ["D-1"] }],
    ["bound, and the defect gate decides", kept(), { register: open, defectGate: true }, { kind: "admit" }],
    ["a new closure", kept(), { register: closed("E-1") }, { kind: "admit", account: ["D-1@E-1"] }],
    ["a known closure", kept({ closures: ["D-1@E-1"] }), { register: closed("E-1") }, { kind: "hold" }],
    [
      "one known, one new",
      kept({ closures: ["D-1@E-1"] }),
      { register: closed("E-1", "E-2") },
      { kind: "admit", account: ["D-1@E-1", "D-2@E-2"] },
    ],
    ["a closure without an event", kept(), { register: closed(null) }, { kind: "hold" }],
    ["no list yet", unlisted(), { register: closed("E-1") }, { kind: "hold", list: ["D-1@E-1"] }],
    ["no list, no register", unlisted(), {}, { kind: "hold", list: [] }],
    ["no list, bound", unlisted(), { register: open }, { kind: "hold", binding: ["D-1"], list: [] }],
    ["no list, a reason", unlisted({ retry: "x" }), { register: closed("E-1") }, { kind: "admit", list: ["D-1@E-1"] }],
  ] as const)
    test(name, () => expect(decideRepeat(one, call, { ...facts, ...given } as RepeatFacts)).toEqual(decision as never));
});

test("a defect that binds other words, or another tool, is no matter", () => {
  const register = { open: [{ id: "D-1", blocks: ["npm run lint", "deploy"] }], closed: [] };
  expect(decideRepeat(kept(), call, { ...facts, register })).toEqual({ kind: "hold" });
  expect(decideRepeat(kept(), { tool: "Deploy", line: null }, { ...facts, register })).toEqual({
    kind: "hold",
    binding: ["D-1"],
  });
});
