import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";

/**
 * What `pick` finds in the newest record of a JSONL transcript that holds `mark`, looking back over the file's last megabytes only: the
 * record of a call that is just being made stands at the very end, and a transcript may be any size. Null where there is no file, no such
 * record in reach, or only one that is still being written.
 */
export function findFromEnd<T>(path: string, mark: string, pick: (record: unknown) => T | null): Result<T | null> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY);
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT" ? done(null) : failed(`cannot read the transcript ${path}: ${causeOf(thrown)}`);
  }
  try {
    return done(search(descriptor, mark, pick));
  } catch (thrown) {
    return failed(`cannot read the transcript ${path}: ${causeOf(thrown)}`);
  } finally {
    closeSync(descriptor);
  }
}

/** Nearly always the first is enough; the last bounds the time (about 10 ms) where the record is not there. */
const windows = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

function search<T>(descriptor: number, mark: string, pick: (record: unknown) => T | null): T | null {
  const size = fstatSync(descriptor).size;
  for (const window of windows) {
    const from = Math.max(0, size - window);
    const found = newestIn(readAt(descriptor, from, size - from), from === 0, mark, pick);
    if (found !== null || from === 0) return found;
  }
  return null;
}

/** Lines from the last to the first; one that begins before the window is left for a wider one. */
function newestIn<T>(bytes: Buffer, whole: boolean, mark: string, pick: (record: unknown) => T | null): T | null {
  let before = bytes.length;
  for (;;) {
    const at = before <= 0 ? -1 : bytes.lastIndexOf(mark, before - 1);
    if (at === -1) return null;
    const start = bytes.lastIndexOf(10, at) + 1;
    if (start === 0 && !whole) return null;
    const end = bytes.indexOf(10, at);
    const found = end === -1 ? null : pick(parse(bytes.subarray(start, end)));
    if (found !== null) return found;
    before = start;
  }
}

function readAt(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const count = readSync(descriptor, bytes, got, length - got, from + got);
    if (count === 0) break;
    got += count;
  }
  return bytes.subarray(0, got);
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return null;
  }
}
