import * as v from "valibot";
import { firstLine } from "../base/printable.ts";
import type { Verdict } from "../base/verdict.ts";
import { describeIssue } from "../words/issue.ts";
import { type Ending, exitCause, reasonOr } from "./tama-contract.ts";

/**
 * A Claude Code hook script's answer, read under every harness. One place is stricter than Claude Code itself: what it would let run
 * (any other exit, a signal, half a JSON, an answer for another event) is an infrastructure refusal here (contract 4).
 */
export function claudeCodeVerdict(ending: Ending): Verdict {
  if (ending.code === 2) return { kind: "refuse", reason: reasonOr(ending.stderr, ending.hook) };
  if (ending.code !== 0) return { kind: "fault", cause: exitCause(ending).replace("0, 2 and 70", "0 and 2") };
  const text = ending.stdout.trim();
  if (text === "") return { kind: "pass" };
  if (!text.startsWith("{")) return plainText(text, ending.event);
  const answer = parseAnswer(text);
  if (typeof answer === "string") return { kind: "fault", cause: answer };
  return verdictOf(answer, ending);
}

const answerSchema = v.looseObject({
  continue: v.optional(v.boolean()),
  stopReason: v.optional(v.string()),
  systemMessage: v.optional(v.string()),
  decision: v.optional(v.picklist(["block", "approve"])),
  reason: v.optional(v.string()),
  hookSpecificOutput: v.optional(
    v.looseObject({
      hookEventName: v.optional(v.string()),
      permissionDecision: v.optional(v.picklist(["allow", "deny", "ask"])),
      permissionDecisionReason: v.optional(v.string()),
      additionalContext: v.optional(v.string()),
      updatedInput: v.optional(v.unknown()),
    }),
  ),
});
type HookAnswer = v.InferOutput<typeof answerSchema>;

function parseAnswer(text: string): HookAnswer | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `its answer begins like JSON and is none: ${firstLine(text).slice(0, 200)}`;
  }
  const parsed = v.safeParse(answerSchema, value);
  return parsed.success
    ? parsed.output
    : `its answer is outside its contract: ${describeIssue("answer", parsed.issues[0])}`;
}

function verdictOf(answer: HookAnswer, ending: Ending): Verdict {
  const specific = answer.hookSpecificOutput;
  const expected = claudeCodeEvents[ending.event];
  if (specific?.hookEventName !== undefined && expected !== undefined && !expected.includes(specific.hookEventName)) {
    return { kind: "fault", cause: `it answered for ${specific.hookEventName}, but was asked about ${expected[0]}` };
  }
  if (specific !== undefined && "updatedInput" in specific)
    return { kind: "fault", cause: "updatedInput is not supported: Tama judges a call, it does not rewrite it" };
  if (specific?.permissionDecision === "deny" || specific?.permissionDecision === "ask") {
    return { kind: "refuse", reason: reasonOr(specific.permissionDecisionReason ?? answer.reason ?? "", ending.hook) };
  }
  if (answer.decision === "block") return { kind: "refuse", reason: reasonOr(answer.reason ?? "", ending.hook) };
  if (answer.continue === false)
    return { kind: "refuse", reason: reasonOr(answer.stopReason ?? answer.reason ?? "", ending.hook) };
  return {
    kind: "pass",
    ...(specific?.additionalContext === undefined ? {} : { context: specific.additionalContext }),
    ...(answer.systemMessage === undefined ? {} : { notes: answer.systemMessage }),
  };
}

/** Claude Code adds plain stdout to the context for prompts and starts, and drops it elsewhere. */
function plainText(text: string, event: string): Verdict {
  return event === "input" || event === "session_start" ? { kind: "pass", context: text } : { kind: "pass" };
}

/** The names Claude Code has for each event. */
const claudeCodeEvents: Readonly<Record<string, readonly string[]>> = {
  session_start: ["SessionStart"],
  input: ["UserPromptSubmit"],
  tool_call: ["PreToolUse"],
  tool_result: ["PostToolUse", "PostToolUseFailure"],
  stop: ["Stop", "SubagentStop"],
  compact: ["PostCompact"],
  session_end: ["SessionEnd"],
};
