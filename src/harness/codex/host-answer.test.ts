import { expect, test } from "bun:test";
import { answerInHostsTongue } from "./host-answer.ts";

/** The keys Codex knows, by event (the schemas in its binary); one it does not know lets the tool run. */
const top = ["continue", "decision", "hookSpecificOutput", "reason", "stopReason", "suppressOutput", "systemMessage"];
const specific = ["additionalContext", "hookEventName", "permissionDecision", "permissionDecisionReason"];
const events = [
  "PreToolUse",
  "UserPromptSubmit",
  "PostToolUse",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "PostCompact",
  "SessionEnd",
];

for (const host of events)
  test(`${host}: every answer has known keys only, and no reason is empty`, () => {
    const decisions = [
      { kind: "refuse", reason: "no" },
      { kind: "refuse", reason: " " },
      { kind: "pass", context: "c", notes: "n" },
      { kind: "pass", context: "", notes: "" },
    ] as const;
    for (const decision of decisions) {
      const { stdout, stderr, code } = answerInHostsTongue(host, decision);
      expect(code).toBe(0);
      const answer = stdout === "" ? {} : JSON.parse(stdout);
      expect(Object.keys(answer).every((key) => top.includes(key))).toBe(true);
      expect(Object.keys(answer.hookSpecificOutput ?? {}).every((key) => specific.includes(key))).toBe(true);
      const reason = answer.reason ?? answer.hookSpecificOutput?.permissionDecisionReason ?? "-";
      expect(reason.trim()).not.toBe("");
      if (decision.kind === "refuse") expect(stdout + stderr).not.toBe("");
    }
  });

test("an event that is not known is refused by exit 2 with words", () => {
  expect(answerInHostsTongue(null, { kind: "refuse", reason: "" })).toEqual({
    stdout: "",
    stderr: "Refused without a reason.\n",
    code: 2,
  });
});
