import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { writeAll } from "../base/descriptors.ts";
import { causeOf, done, failed, type Result } from "../base/result.ts";

/**
 * Appends one line with one write. Where the file's last line lost its newline (its writer was killed), the new line starts on a fresh
 * one, so that a torn line stays one bad line and never swallows its neighbour.
 */
export function appendLine(path: string, line: string): Result<void> {
  try {
    const descriptor = openSync(
      path,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      writeAll(descriptor, `${endsTorn(descriptor) ? "\n" : ""}${line}\n`);
    } finally {
      closeSync(descriptor);
    }
    return done(undefined);
  } catch (thrown) {
    return failed(`cannot append to ${path}: ${causeOf(thrown)}`);
  }
}

function endsTorn(descriptor: number): boolean {
  const size = fstatSync(descriptor).size;
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== 10;
}
