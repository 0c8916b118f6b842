import type { Decision, SaidAnswer } from "./decision.ts";

// The form in which Claude Code, and after it Codex and Gemini CLI, take an answer: at most one JSON object on stdout.

/** An answer of known fields at exit 0. */
export function said(answer: object): SaidAnswer {
  return { stdout: `${JSON.stringify(answer)}\n`, stderr: "", code: 0 };
}

/** No answer at all. */
export const unsaid: SaidAnswer = { stdout: "", stderr: "", code: 0 };

/** What a pass hands over; empty where there is nothing. A text that the event cannot hand to the model is at least shown to the person. */
export function passFields(
  event: string,
  takesContext: boolean,
  { context, notes }: Decision & { readonly kind: "pass" },
): object {
  const shown = [notes, takesContext ? "" : context].filter((part) => part !== "").join("\n\n");
  return {
    ...(takesContext && context !== ""
      ? { hookSpecificOutput: { hookEventName: event, additionalContext: context } }
      : {}),
    ...(shown === "" ? {} : { systemMessage: shown }),
  };
}

/** A pass as it is said; nothing where it hands nothing over. */
export function saidPass(
  event: string,
  takesContext: boolean,
  decision: Decision & { readonly kind: "pass" },
): SaidAnswer {
  const answer = passFields(event, takesContext, decision);
  return Object.keys(answer).length === 0 ? unsaid : said(answer);
}
