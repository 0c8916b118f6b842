import { expect, test } from "bun:test";
import { claudeCodeVerdict } from "./claude-code-contract.ts";
import type { Ending } from "./tama-contract.ts";

const ended = (ending: Partial<Ending>): Ending => ({
  code: 0,
  stdout: "",
  stderr: "",
  event: "tool_call",
  hook: "h",
  ...ending,
});

const answered = (answer: object, event = "tool_call") =>
  claudeCodeVerdict(ended({ stdout: JSON.stringify(answer), event }));

test("deny, ask, block and continue:false refuse, each with its reason", () => {
  for (const permissionDecision of ["deny", "ask"]) {
    const specific = { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: "why" };
    expect(answered({ hookSpecificOutput: specific })).toEqual({ kind: "refuse", reason: "why" });
  }
  expect(answered({ decision: "block", reason: "why" })).toEqual({ kind: "refuse", reason: "why" });
  expect(answered({ continue: false, stopReason: "why" })).toEqual({ kind: "refuse", reason: "why" });
  expect(claudeCodeVerdict(ended({ code: 2, stderr: "why\n" }))).toEqual({ kind: "refuse", reason: "why" });
});

test("allow, approve, context and plain text pass", () => {
  expect(answered({ hookSpecificOutput: { permissionDecision: "allow" } })).toEqual({ kind: "pass" });
  expect(answered({ decision: "approve", systemMessage: "m" })).toEqual({ kind: "pass", notes: "m" });
  expect(claudeCodeVerdict(ended({ stdout: "fine" }))).toEqual({ kind: "pass" });
  expect(claudeCodeVerdict(ended({ stdout: "known", event: "input" }))).toEqual({ kind: "pass", context: "known" });
  expect(claudeCodeVerdict(ended({}))).toEqual({ kind: "pass" });
});

test("what Claude Code would let run and nobody answered is a fault", () => {
  for (const ending of [
    { code: 1 },
    { code: 70 },
    { code: 127 },
    { stdout: '{"decision":' },
    { stdout: '{"decision":"maybe"}' },
  ])
    expect(claudeCodeVerdict(ended(ending))).toMatchObject({ kind: "fault" });
  const updated = { hookSpecificOutput: { permissionDecision: "allow", updatedInput: { command: "x" } } };
  expect(answered(updated)).toMatchObject({
    kind: "fault",
    cause: expect.stringContaining("updatedInput is not supported"),
  });
  expect(answered({ hookSpecificOutput: { hookEventName: "Stop" } })).toMatchObject({
    kind: "fault",
    cause: expect.stringContaining("answered for Stop"),
  });
});
