import * as v from "valibot";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import { describeIssue } from "../words/issue.ts";
import { readTextFile } from "./read-text-file.ts";

/**
 * The record at `path`, or null when there is none. A file that is there and cannot be read or decoded is an error naming path and
 * cause, never an empty record; a symbolic link is never followed (contract 5).
 */
export function readRecord<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Result<v.InferOutput<Schema> | null> {
  const text = readTextFile(path);
  if (!text.ok || text.value === null) return text;
  return decodeRecord(path, text.value, schema);
}

/** The record that `text` of the file at `path` holds. */
export function decodeRecord<Schema extends v.GenericSchema>(
  path: string,
  text: string,
  schema: Schema,
): Result<v.InferOutput<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return failed(`cannot decode ${path}: ${causeOf(thrown)}`);
  }
  // Valibot's objects take a JSON list, and with every field optional an empty one; no record is a list.
  if (Array.isArray(value)) return failed(`cannot decode ${path}: record: expected an object, got a list`);
  const parsed = v.safeParse(schema, value);
  return parsed.success
    ? done(parsed.output)
    : failed(`cannot decode ${path}: ${describeIssue("record", parsed.issues[0])}`);
}
