import { statSync } from "node:fs";

const writtenWithinMs = 2_000;

/**
 * No row of a transcript's own is older than this, in milliseconds; null where the file system does not say. Claude Code only ever appends,
 * and makes the file some 50 ms after the first call (measured), on a busy machine later.
 */
export function bornAt(path: string): number | null {
  try {
    const { birthtimeMs } = statSync(path);
    return birthtimeMs > 0 ? birthtimeMs - writtenWithinMs : null;
  } catch {
    return null;
  }
}
