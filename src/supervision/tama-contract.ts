import * as v from "valibot";
import { firstLine } from "../base/printable.ts";
import type { Refusal, Verdict } from "../base/verdict.ts";

/** How a hook ended, under either contract. */
export interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly event: string;
  readonly hook: string;
}

/** Tama's own hook contract (contract 4): only exit 0 with a valid answer passes. */
export function tamaVerdict(ending: Ending): Verdict {
  switch (ending.code) {
    case 0:
      return passOrBlock(ending);
    case 2:
      return { kind: "refuse", reason: reasonOr(ending.stderr, ending.hook), ...partsOf(ending.stdout) };
    case 70:
      return { kind: "fault", cause: statedCause(ending) };
    default:
      return { kind: "fault", cause: exitCause(ending) };
  }
}

/** A refusal always says something: a hook that refuses without a word is named, so that a person knows where to ask. */
export function reasonOr(text: string, hook: string): string {
  const reason = text.trim();
  return reason === ""
    ? `BLOCKED: ${hook} refused this and gave no reason. What it checks is in its declaration: tama hooks declared`
    : reason;
}

export function exitCause(ending: Ending): string {
  const said = firstLine(ending.stderr);
  return `exit ${ending.code}, where only 0, 2 and 70 are answers${said === "" ? "" : `: ${said}`}`;
}

/** A hook may say beside its reason what was seen, why it counts and what to do instead; `tama why` then shows them apart. */
const partsSchema = v.looseObject({
  what: v.string(),
  why: v.string(),
  instead: v.string(),
  evidence: v.optional(v.string()),
});

function partsOf(stdout: string): { readonly refusal?: Refusal } {
  const parts = v.safeParse(partsSchema, parseJson(stdout));
  if (!parts.success) return {};
  const { what, why, instead, evidence } = parts.output;
  return { refusal: { what, why, instead, ...(evidence === undefined ? {} : { evidence }) } };
}

const answerSchema = v.looseObject({
  decision: v.optional(v.literal("block")),
  reason: v.optional(v.string()),
  context: v.optional(v.string()),
  notes: v.optional(v.string()),
});

function passOrBlock(ending: Ending): Verdict {
  const text = ending.stdout.trim();
  if (text === "") return { kind: "pass" };
  const answer = parseAnswer(text);
  if (answer === null)
    return {
      kind: "fault",
      cause: `exit 0 with an answer that is no JSON object of its contract: ${firstLine(text).slice(0, 200)}`,
    };
  if (answer.decision === "block") return { kind: "refuse", reason: reasonOr(answer.reason ?? "", ending.hook) };
  return {
    kind: "pass",
    ...(answer.context === undefined ? {} : { context: answer.context }),
    ...(answer.notes === undefined ? {} : { notes: answer.notes }),
  };
}

/** A list would fit a schema of optional fields, and so pass. */
function parseAnswer(text: string): v.InferOutput<typeof answerSchema> | null {
  const value = parseJson(text);
  const parsed = v.safeParse(answerSchema, Array.isArray(value) ? null : value);
  return parsed.success ? parsed.output : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function statedCause(ending: Ending): string {
  const prefix = `TAMA_HOOK_INFRASTRUCTURE: ${ending.hook}: `;
  const said = ending.stderr.trim();
  const from = said.lastIndexOf(prefix);
  return from === -1 ? (said === "" ? "exit 70 without a cause" : said) : said.slice(from + prefix.length);
}
