import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import * as v from "valibot";
import { readToEnd } from "../base/descriptors.ts";
import { recordBytesMax } from "../base/limits.ts";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";
import { describeIssue } from "../words/issue.ts";

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

/** The text of a regular file, or null when there is none. Bytes that are no UTF-8 are an error. */
export function readTextFile(path: string): Result<string | null> {
  try {
    // Most records asked after are not there, and an exception costs many times a look. Only a missing name gives undefined.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return done(null);
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const about = fstatSync(descriptor);
      if (!about.isFile()) return failed(`cannot read ${path}: it is no regular file`);
      if (about.size > recordBytesMax)
        return failed(`cannot read ${path}: its ${about.size} bytes are over the limit of ${recordBytesMax}`);
      return done(decoder.decode(readToEnd(descriptor, about.size)));
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return done(null);
    if (codeOf(thrown) === "ELOOP") return failed(`cannot read ${path}: it is a symbolic link`);
    return failed(`cannot read ${path}: ${causeOf(thrown)}`);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

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
