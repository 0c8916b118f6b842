import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { writeAll } from "../base/descriptors.ts";
import { readTextFile } from "./read-text-file.ts";
import { temporaryName } from "./replace-file.ts";

/**
 * A file that only saves work: nothing is synced, one that cannot be written is not written, and one that cannot be read or decoded is
 * not there. Replaced by a rename, so that a reader sees a whole one.
 */
export function writeCache(path: string, value: unknown): void {
  const temporary = temporaryName(path);
  try {
    mkdirSync(dirname(path), { mode: 0o700, recursive: true });
    // A planted link must not lead the writing out of TAMA_HOME.
    if (lstatSync(dirname(path)).isSymbolicLink()) return;
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const descriptor = openSync(temporary, flags, 0o600);
    try {
      writeAll(descriptor, JSON.stringify(value));
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch {
    removeQuietly(temporary);
  }
}

/** The value of a cache file, or null; whoever reads it checks that it fits. */
export function readCache(path: string): unknown {
  const text = readTextFile(path);
  if (!text.ok || text.value === null) return null;
  try {
    return JSON.parse(text.value);
  } catch {
    return null;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made.
  }
}
