import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";

export interface LinesHolding {
  readonly count: number;
  /** The byte behind the last whole line. */
  readonly end: number;
}

/**
 * How many whole lines from byte `from` on hold `words`. A file that is not there holds none; one shorter than `from` was replaced, and is
 * counted from its end. Only what is new is read, so that a long file costs nothing.
 */
export function linesHolding(path: string, words: string, from: number): Result<LinesHolding> {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(descriptor);
      if (size < from) return done({ count: 0, end: size });
      const bytes = Buffer.allocUnsafe(size - from);
      const got = readSync(descriptor, bytes, 0, bytes.length, from);
      const whole = bytes.subarray(0, bytes.subarray(0, got).lastIndexOf(10) + 1);
      return done({ count: countLines(whole, words), end: from + whole.length });
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return done({ count: 0, end: 0 });
    return failed(`cannot read ${path}: ${causeOf(thrown)}`);
  }
}

function countLines(lines: Buffer, words: string): number {
  let count = 0;
  let at = lines.indexOf(words);
  while (at !== -1) {
    count++;
    const next = lines.indexOf(10, at);
    at = lines.indexOf(words, next);
  }
  return count;
}
