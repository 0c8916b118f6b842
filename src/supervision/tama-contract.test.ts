import { describe, expect, test } from "bun:test";
import { type Ending, tamaVerdict } from "./tama-contract.ts";

const ended = (ending: Partial<Ending>): Ending => ({
  code: 0,
  stdout: "",
  stderr: "",
  event: "tool_call",
  hook: "h",
  ...ending,
});

describe("exit 0", () => {
  test("passes with nothing, an object without a decision, and context or notes", () => {
    expect(tamaVerdict(ended({}))).toEqual({ kind: "pass" });
    expect(tamaVerdict(ended({ stdout: " \n" }))).toEqual({ kind: "pass" });
    expect(tamaVerdict(ended({ stdout: '{"context":"c","notes":"n","more":1}' }))).toEqual({
      kind: "pass",
      context: "c",
      notes: "n",
    });
  });

  test("refuses where the answer blocks, with its reason or with who refused", () => {
    expect(tamaVerdict(ended({ stdout: '{"decision":"block","reason":"no"}' }))).toMatchObject({
      kind: "refuse",
      reason: "no",
    });
    const silent = tamaVerdict(ended({ stdout: '{"decision":"block"}' }));
    expect(silent).toMatchObject({ kind: "refuse", reason: expect.stringContaining("h refused this") });
  });

  test("is a fault with anything that is no answer", () => {
    for (const stdout of ["yes", "[]", "null", "1", '"pass"', "{", '{"decision":"approve"}', '{"context":1}', "{}{}"])
      expect(tamaVerdict(ended({ stdout }))).toMatchObject({
        kind: "fault",
        cause: expect.stringContaining("no JSON object"),
      });
  });
});

test("exit 2 refuses with stderr, whatever stdout says", () => {
  expect(tamaVerdict(ended({ code: 2, stderr: "no\n", stdout: "{}" }))).toMatchObject({ kind: "refuse", reason: "no" });
});

test("exit 70 states its own cause", () => {
  const stderr = "czekam\nTAMA_HOOK_INFRASTRUCTURE: h: the judge is down\n";
  expect(tamaVerdict(ended({ code: 70, stderr }))).toEqual({ kind: "fault", cause: "the judge is down" });
  expect(tamaVerdict(ended({ code: 70 }))).toEqual({ kind: "fault", cause: "exit 70 without a cause" });
});

test("every other exit is a fault that names it", () => {
  for (const code of [1, 3, 69, 71, 126, 127, 255])
    expect(tamaVerdict(ended({ code, stderr: "why\n" }))).toMatchObject({
      kind: "fault",
      cause: expect.stringContaining(`exit ${code}`),
    });
});
