import type { Decision, SaidAnswer } from "../decision.ts";
import { saidPass } from "../json-answer.ts";

// Tama's decisions in Claude Code's tongue (2.1.332). What was measured there and shapes this file:
// a JSON refusal together with exit 2 refuses and shows the model the clean reason; exit 2 alone refuses too; every other exit, and JSON
// with a word beside it, lets the tool run. So a refusal is exactly one JSON object, exit 2, and the reason on stderr once more.

/**
 * How each event takes a refusal, whoever refuses (a gate, or a fault of ours: nothing fails open, contract 3.4), and whether a pass may hand
 * the model a context.
 *
 * | event | a refusal | why |
 * |---|---|---|
 * | PreToolUse | deny | the tool does not run |
 * | UserPromptSubmit | block | the prompt is dropped, the person sees the reason |
 * | Stop, SubagentStop | block | the turn goes on with the reason; a context would make it go on too, so a pass never carries one |
 * | PostToolUse, PostToolUseFailure | block | the tool has run and its result stays; the model is told beside it |
 * | PermissionRequest | dialog | the dialog is answered with no; exit 2 would only show it (measured) |
 * | ConfigChange | block | the session goes on under the settings it had |
 * | SessionStart, SubagentStart, SessionEnd, StopFailure, PostCompact | tell | nothing there can be refused: the person is told |
 */
type Manner = { readonly refusal: "deny" | "block" | "dialog" | "tell"; readonly context: boolean };
const manners: Readonly<Record<string, Manner>> = {
  PreToolUse: { refusal: "deny", context: true },
  UserPromptSubmit: { refusal: "block", context: true },
  Stop: { refusal: "block", context: false },
  SubagentStop: { refusal: "block", context: false },
  PostToolUse: { refusal: "block", context: true },
  PostToolUseFailure: { refusal: "block", context: true },
  PermissionRequest: { refusal: "dialog", context: false },
  ConfigChange: { refusal: "block", context: false },
  SessionStart: { refusal: "tell", context: true },
  SubagentStart: { refusal: "tell", context: true },
  SessionEnd: { refusal: "tell", context: false },
  StopFailure: { refusal: "tell", context: false },
  PostCompact: { refusal: "tell", context: false },
};

/** `host` null or unknown: the one form that refuses under every event that can be refused is exit 2 with the reason on stderr. */
export function answerInHostsTongue(host: string | null, decision: Decision): SaidAnswer {
  const manner = host !== null && Object.hasOwn(manners, host) ? manners[host] : undefined;
  if (decision.kind === "pass") return saidPass(host ?? "", manner?.context === true, decision);
  const { reason, notes = "" } = decision;
  const refusal = { stderr: `${reason}\n`, code: 2 } as const;
  switch (manner?.refusal) {
    case "deny":
      return { ...refusal, stdout: line({ hookSpecificOutput: denial(host ?? "", reason) }) };
    case "block":
      return {
        ...refusal,
        stdout: line({ decision: "block", reason, ...(notes === "" ? {} : { systemMessage: notes }) }),
      };
    case "dialog":
      return {
        stdout: line({ hookSpecificOutput: refusedDialog(host ?? "", reason) }),
        stderr: `${reason}\n`,
        code: 0,
      };
    case "tell":
      return { stdout: line({ systemMessage: reason }), stderr: `${reason}\n`, code: 0 };
    case undefined:
      return { ...refusal, stdout: "" };
  }
}

function denial(host: string, reason: string): object {
  return { hookEventName: host, permissionDecision: "deny", permissionDecisionReason: reason };
}

function refusedDialog(host: string, message: string): object {
  return { hookEventName: host, decision: { behavior: "deny", message } };
}

function line(answer: object): string {
  return `${JSON.stringify(answer)}\n`;
}
