import * as v from "valibot";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import { describeIssue } from "../words/issue.ts";
import {
  type AssignmentLine,
  assignmentLineSchema,
  type Birth,
  birthSchema,
  endedLineSchema,
  legacyRecordSchema,
  progressLineSchema,
} from "../words/records.ts";

/** What an in-flight record says: a birth with what was appended to it, or a record from before births were kept. */
export type RecordRead =
  | {
      readonly kind: "birth";
      readonly birth: Birth;
      readonly assignment: AssignmentLine | null;
      readonly progress: readonly string[];
      /** The hook has ended; its supervisor only waits to be ended. */
      readonly ended: boolean;
    }
  | { readonly kind: "legacy"; readonly record: v.InferOutput<typeof legacyRecordSchema> };

/**
 * Whatever is no record is a failure naming path and cause, never an empty one. A last line without its newline is still being written, or its writer was killed: it is set
 * aside, unless it is all there is.
 */
export function decodeInFlight(path: string, text: string): Result<RecordRead> {
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  const values: unknown[] = [];
  let byte = 0;
  for (const line of lines.length === 0 ? [torn] : lines) {
    try {
      if (line.trim() !== "") values.push(JSON.parse(line));
    } catch (thrown) {
      return legacyDocument(text) ?? failed(`cannot decode ${path}: byte ${byte}: ${causeOf(thrown)}`);
    }
    byte += Buffer.byteLength(line) + 1;
  }
  const [first, ...rest] = values;
  if (first === undefined) return failed(`cannot decode ${path}: it is empty`);
  const birth = v.safeParse(birthSchema, first);
  if (birth.success) return done({ kind: "birth", birth: birth.output, ...appended(rest) });
  return legacyDocument(text) ?? failed(`cannot decode ${path}: ${whyNone(first)}`);
}

function appended(
  lines: readonly unknown[],
): Pick<RecordRead & { kind: "birth" }, "assignment" | "progress" | "ended"> {
  const assignment = lines.map((line) => v.safeParse(assignmentLineSchema, line)).find((line) => line.success);
  const progress = lines.flatMap((line) => {
    const parsed = v.safeParse(progressLineSchema, line);
    return parsed.success ? [parsed.output.progress] : [];
  });
  const ended = lines.some((line) => v.safeParse(endedLineSchema, line).success);
  return { assignment: assignment?.output ?? null, progress, ended };
}

/** What is wrong with a record, by the form it claims to have. */
function whyNone(value: unknown): string {
  if (Array.isArray(value)) return "record: expected an object, got a list";
  const parsed = v.safeParse(claimsBirth(value) ? birthSchema : legacyRecordSchema, value);
  return parsed.success ? "it is no record" : describeIssue("record", parsed.issues[0]);
}

function claimsBirth(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "hookBirthIdentity");
}

/** Old records were one document, over one line or several. */
function legacyDocument(text: string): Result<RecordRead> | null {
  try {
    const value: unknown = JSON.parse(text);
    const old = v.safeParse(legacyRecordSchema, value);
    return old.success && !claimsBirth(value) ? done({ kind: "legacy", record: old.output }) : null;
  } catch {
    return null;
  }
}
