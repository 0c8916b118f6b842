import { expect, test } from "bun:test";
import { answerInHostsTongue } from "./host-answer.ts";

const refuse = { kind: "refuse", reason: "no, because" } as const;
const pass = (context = "", notes = "") => ({ kind: "pass", context, notes }) as const;

test("a refusal is one JSON object, exit 2, and the reason on stderr", () => {
  const denied = answerInHostsTongue("PreToolUse", refuse);
  expect(denied).toMatchObject({ code: 2, stderr: "no, because\n" });
  expect(JSON.parse(denied.stdout)).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "no, because",
    },
  });
  for (const name of [
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "PostToolUse",
    "PostToolUseFailure",
    "ConfigChange",
  ]) {
    const blocked = answerInHostsTongue(name, refuse);
    expect(blocked.code).toBe(2);
    expect(JSON.parse(blocked.stdout)).toEqual({ decision: "block", reason: "no, because" });
  }
});

test("a permission dialog is answered with no in its own form, never with exit 2", () => {
  const answered = answerInHostsTongue("PermissionRequest", refuse);
  expect(answered.code).toBe(0);
  expect(JSON.parse(answered.stdout)).toEqual({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: "no, because" } },
  });
  expect(answerInHostsTongue("PermissionRequest", pass())).toEqual({ stdout: "", stderr: "", code: 0 });
});

test("what is for the person alone stands beside a block", () => {
  const blocked = answerInHostsTongue("Stop", { ...refuse, notes: "the limit is near" });
  expect(JSON.parse(blocked.stdout)).toEqual({
    decision: "block",
    reason: "no, because",
    systemMessage: "the limit is near",
  });
});

test("where the event is not known exit 2 and stderr refuse; where nothing can be refused the person is told", () => {
  for (const name of [null, "Fancy", "constructor"]) {
    expect(answerInHostsTongue(name, refuse)).toEqual({ stdout: "", stderr: "no, because\n", code: 2 });
  }
  for (const name of ["SessionStart", "SessionEnd", "SubagentStart", "StopFailure", "PostCompact"]) {
    expect(answerInHostsTongue(name, refuse)).toEqual({
      stdout: '{"systemMessage":"no, because"}\n',
      stderr: "no, because\n",
      code: 0,
    });
  }
});

test("a pass says nothing, or a context for the model and notes for the person", () => {
  expect(answerInHostsTongue("PreToolUse", pass())).toEqual({ stdout: "", stderr: "", code: 0 });
  expect(JSON.parse(answerInHostsTongue("PostToolUse", pass("c", "n")).stdout)).toEqual({
    hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "c" },
    systemMessage: "n",
  });
  // A context at the end of a turn would make it go on (measured), so it goes to the person.
  expect(JSON.parse(answerInHostsTongue("Stop", pass("c", "n")).stdout)).toEqual({ systemMessage: "n\n\nc" });
});
