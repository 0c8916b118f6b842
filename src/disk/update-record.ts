import type * as v from "valibot";
import { done, failed, type Result } from "../base/result.ts";
import { takeLock } from "./lock-file.ts";
import { readRecord } from "./read-record.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Reads a record, lets `change` make the next one, and replaces the file, all under the lock on `<path>.lock`. `change` gets null when
 * there is no record yet and returns null to leave everything as it is. It must not wait: other processes do.
 */
export async function updateRecord<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
  change: (record: v.InferOutput<Schema> | null) => v.InferInput<Schema> | null,
): Promise<Result<void>> {
  const lock = await takeLock(`${path}.lock`, `another process that writes ${path}`);
  if (!lock.ok) return lock;
  try {
    const before = readRecord(path, schema);
    if (!before.ok) return failed(before.cause);
    const after = change(before.value);
    return after === null ? done(undefined) : replaceFile(path, `${JSON.stringify(after, null, 1)}\n`);
  } finally {
    lock.value.release();
  }
}
