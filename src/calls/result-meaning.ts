import { toolKind } from "./kind.ts";
import { CHANGED_OUTSIDE, CODEX_FAILED, ENDED, formsOf, REPEATED, STILL_RUNS } from "./never-ran-forms.ts";

/** What a tool's result says about the call: whether it ran, and how it ended (design: gates, "A failure"). */
export type Meaning =
  | { readonly kind: "succeeded" }
  /**
   * `readFirst`: an edit refused until its file is read (again); it lifts when that file was read. `changedOutside`: because somebody else
   * changed that file, so whatever was seen or failed before may be otherwise now.
   */
  | { readonly kind: "failed"; readonly readFirst?: boolean; readonly changedOutside?: boolean }
  /** It had started and was cut off, so its answer is not known. */
  | { readonly kind: "interrupted" }
  /** A person, the harness or a gate refused it, its arguments did not parse, or a sibling's failure cancelled it. */
  | { readonly kind: "never-ran" };

export interface CallResult {
  readonly harness: string;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  readonly details?: unknown;
}

/** The forms of a long answer stand at its ends; this much of each is looked at. */
const ENDS = 4096;

/**
 * The meaning of a result. What the harness's own fields say counts before its words. Words are looked at only in an
 * error, and a call whose details show that a program ran is never one that did not, whatever the program printed.
 */
export function resultMeaning(result: CallResult): Meaning {
  const said = byDetails(result);
  if (said !== null) return said;
  if (!result.isError) return { kind: "succeeded" };
  const text = ends(result.text);
  const forms = formsOf(result.harness);
  const ran = showsThatItRan(result);
  const stopped = text.startsWith(REFUSED_BY_PERSON) && text.includes(STOPPED_WHILE_RUNNING);
  if (stopped || forms.interrupted.some((form) => form.test(text))) return { kind: "interrupted" };
  if (text === CUT_OFF) return { kind: ran ? "interrupted" : "never-ran" };
  const repeated = !ranByDetails(result) && REPEATED.test(text);
  if (repeated || (!ran && (forms.neverRan.some((form) => form.test(text)) || isNoFailureOfItsTool(result, text)))) {
    return { kind: "never-ran" };
  }
  const readFirst =
    toolKind(result.harness, result.tool) === "write" && forms.readFirst.some((form) => form.test(text));
  if (!readFirst) return { kind: "failed" };
  const changedOutside = CHANGED_OUTSIDE.some((form) => form.test(text));
  return { kind: "failed", readFirst: true, ...(changedOutside ? { changedOutside: true } : {}) };
}

/** Whether the call's command goes on behind it, so that what it printed so far is not its answer. */
export function stillRuns(result: Pick<CallResult, "text" | "details">): boolean {
  if (typeof fieldsOf(result.details)["backgroundTaskId"] === "string") return true;
  const start = result.text.slice(0, ENDS);
  return STILL_RUNS.some((form) => form.test(start));
}

/** Whether a result of Codex's that names no exit code tells in Codex's own words that the call failed, was cut off or never ran. */
export function codexSaysNo(text: string): boolean {
  const meaning = resultMeaning({ harness: "codex", tool: "bash", text, isError: true });
  return meaning.kind !== "failed" || CODEX_FAILED.some((form) => form.test(text));
}

/** Whether a wait's answer says that what was waited for has ended. */
export function tellsOfAnEnd(text: string): boolean {
  const start = text.slice(0, ENDS);
  return ENDED.some((form) => form.test(start));
}

/** Whether `tama wait` in a line gave the new answer that it waited for. */
export function tellsOfNews(line: string, text: string): boolean {
  return /(?:^|[\s/;&|(])tama\s+wait\b/.test(line) && !text.includes("no change yet, send again");
}

/**
 * Claude Code's transcript writes what another hook says against a call as its error, in the hook's own words and no others. Since 2.0.77 a
 * shell's own failure says its exit code and a write's stands in a tag, in each of 2,600 published errors; newer versions say by
 * `toolDenialKind` who denied it. An event of a call that ran names no version.
 */
function isNoFailureOfItsTool(result: CallResult, text: string): boolean {
  if (result.harness !== "claude-code" || !isSince(fieldsOf(result.details)["harnessVersion"], [2, 0, 77]))
    return false;
  const kind = toolKind(result.harness, result.tool);
  if (kind === "shell")
    return !/^(?:<tool_use_error>|(?:Error: )?(?:Exit code \d|Command (?:timed out|failed)\b))/.test(text);
  return kind === "write" && !/^(?:<tool_use_error>|(?:Error: )?(?:The )?[Ff]ile\b|Error\b)/.test(text);
}

function isSince(version: unknown, first: readonly [number, number, number]): boolean {
  const numbers = typeof version === "string" ? /^(\d+)\.(\d+)\.(\d+)/.exec(version) : null;
  if (numbers === null) return false;
  for (const [at, least] of first.entries()) {
    const number = Number(numbers[at + 1]);
    if (number !== least) return number > least;
  }
  return true;
}

const CUT_OFF = "[Request interrupted by user for tool use]";
const REFUSED_BY_PERSON = "The user doesn't want to";
const STOPPED_WHILE_RUNNING = "this call was stopped while running, not refused before it ran";

/** What the harness says in fields of its own, which no program's output can imitate. */
function byDetails(result: CallResult): Meaning | null {
  const details = fieldsOf(result.details);
  if (details["is_interrupt"] === true || details["interrupted"] === true || details["__interrupted"] === true) {
    return { kind: "interrupted" };
  }
  if (details["__synthetic"] === true || details["executed"] === false) return { kind: "never-ran" };
  const denial = details["toolDenialKind"];
  if (typeof denial !== "string" || !result.isError) return null;
  return { kind: denial === "interrupted" && showsThatItRan(result) ? "interrupted" : "never-ran" };
}

/** Fields and endings only a tool that ran leaves behind. */
function showsThatItRan(result: CallResult): boolean {
  return (
    ranByDetails(result) ||
    (toolKind(result.harness, result.tool) === "shell" &&
      /\n\nCommand exited with code \d+\s*$/.test(ends(result.text)))
  );
}

function ranByDetails(result: CallResult): boolean {
  const details = fieldsOf(result.details);
  return RAN_FIELDS.some((name) => Object.hasOwn(details, name) && details[name] !== undefined);
}

const RAN_FIELDS: readonly string[] = [
  "exitCode",
  "exit_code",
  "exit",
  "wallTimeMs",
  "duration_ms",
  "stdout",
  "stderr",
  "structuredPatch",
  "aggregated_output",
];

function fieldsOf(details: unknown): Readonly<Record<string, unknown>> {
  return typeof details === "object" && details !== null ? (details as Readonly<Record<string, unknown>>) : {};
}

function ends(text: string): string {
  return text.length <= 2 * ENDS ? text : `${text.slice(0, ENDS)}…${text.slice(-ENDS)}`;
}
