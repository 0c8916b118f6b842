import type { Decision, SaidAnswer } from "../decision.ts";
import { said, saidPass, unsaid } from "../json-answer.ts";

// Tama's decisions in Codex's tongue (0.171.0). What was measured there and shapes this file: a JSON answer counts at exit 0 only, and one
// with a key too many, or a refusal without a reason, lets the tool run; exit 2 with words on stderr refuses, with none it does not. So an
// answer is one JSON object of known keys, never with an empty reason, and exit 2 stays for what knows no event.

/**
 * How each event takes a refusal, and whether a pass may hand the model a context.
 *
 * | event | a refusal | why |
 * |---|---|---|
 * | PreToolUse | deny | the tool does not run |
 * | UserPromptSubmit | block | the prompt is dropped |
 * | Stop, SubagentStop | block | the turn goes on with the reason |
 * | PostToolUse | a context | a block would replace the tool's output, which the model needs |
 * | SessionStart, PostCompact, SessionEnd | told to the person | nothing there can be refused |
 */
const manners: Readonly<
  Record<string, { readonly refusal: "deny" | "block" | "context" | "tell"; readonly context: boolean }>
> = {
  PreToolUse: { refusal: "deny", context: true },
  UserPromptSubmit: { refusal: "block", context: true },
  Stop: { refusal: "block", context: false },
  SubagentStop: { refusal: "block", context: false },
  PostToolUse: { refusal: "context", context: true },
  SessionStart: { refusal: "tell", context: true },
  PostCompact: { refusal: "tell", context: false },
  SessionEnd: { refusal: "tell", context: false },
};

/** `host` null or unknown: exit 2 refuses wherever anything can be refused. Codex takes no answer at all at a session's end. */
export function answerInHostsTongue(host: string | null, decision: Decision): SaidAnswer {
  const manner = host !== null && Object.hasOwn(manners, host) ? manners[host] : undefined;
  if (decision.kind === "pass")
    return host === "SessionEnd" ? unsaid : saidPass(host ?? "", manner?.context === true, decision);
  const reason = decision.reason.trim() === "" ? "Refused without a reason." : decision.reason;
  switch (manner?.refusal) {
    case "deny":
      return said({ hookSpecificOutput: { hookEventName: host, ...denied, permissionDecisionReason: reason } });
    case "block":
      return said({ decision: "block", reason });
    case "context":
      return said({ hookSpecificOutput: { hookEventName: host, additionalContext: reason } });
    case "tell":
      return host === "SessionEnd" ? { stdout: "", stderr: `${reason}\n`, code: 0 } : said({ systemMessage: reason });
    default:
      return { stdout: "", stderr: `${reason}\n`, code: 2 };
  }
}

const denied = { permissionDecision: "deny" };
