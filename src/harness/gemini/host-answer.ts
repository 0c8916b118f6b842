import { refusedEndingMark } from "../../transcript/gemini.ts";
import type { Decision, SaidAnswer } from "../decision.ts";
import { passFields, said } from "../json-answer.ts";

/**
 * How each event takes a refusal, and whether a pass may hand the model a context (0.61.0).
 *
 * | event | a refusal | why |
 * |---|---|---|
 * | BeforeTool | deny | the tool does not run |
 * | BeforeAgent | deny | the prompt is dropped |
 * | AfterAgent | deny, with a mark | the turn goes on with the reason, which Gemini sends as if a person had written it |
 * | AfterTool | a context | a denial would replace the tool's output, which the model needs |
 * | SessionStart, SessionEnd | told to the person | nothing there can be refused |
 *
 * Every answer is one JSON object at exit 0: Gemini prints a warning for any other exit, also where it heeds it. `ask` is never said, since
 * without a screen Gemini ends by it; nor `continue`, which would end the whole run.
 */
const manners: Readonly<Record<string, { readonly refusal: "deny" | "context" | "tell"; readonly context: boolean }>> =
  {
    BeforeTool: { refusal: "deny", context: false },
    BeforeAgent: { refusal: "deny", context: true },
    AfterAgent: { refusal: "deny", context: false },
    AfterTool: { refusal: "context", context: true },
    SessionStart: { refusal: "tell", context: true },
    SessionEnd: { refusal: "tell", context: false },
  };

/** `host` null or unknown: exit 2 with words refuses wherever anything can be refused. */
export function answerInHostsTongue(host: string | null, decision: Decision): SaidAnswer {
  const manner = host !== null && Object.hasOwn(manners, host) ? manners[host] : undefined;
  // Without any answer Gemini would read what stands on stderr as one.
  if (decision.kind === "pass") return said(passFields(host ?? "", manner?.context === true, decision));
  const reason = decision.reason.trim() === "" ? "Refused without a reason." : decision.reason;
  switch (manner?.refusal) {
    case "deny":
      return said({ decision: "deny", reason: host === "AfterAgent" ? refusedEndingMark + reason : reason });
    case "context":
      return said({ hookSpecificOutput: { hookEventName: host, additionalContext: reason } });
    case "tell":
      return said({ systemMessage: reason });
    default:
      return { stdout: "", stderr: `${reason}\n`, code: 2 };
  }
}
