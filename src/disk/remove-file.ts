import { rmdirSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";
import { syncFolder } from "./replace-file.ts";

/** Removes a file for good. One that is not there is done. */
export function removeFile(path: string): Result<void> {
  try {
    unlinkSync(path);
    syncFolder(dirname(path));
    return done(undefined);
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT" ? done(undefined) : failed(`cannot remove ${path}: ${causeOf(thrown)}`);
  }
}

/** Removes a file without waiting for the disk: should it come back after a power cut, it does no harm. */
export function removeHarmless(path: string): Result<void> {
  try {
    unlinkSync(path);
    return done(undefined);
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT" ? done(undefined) : failed(`cannot remove ${path}: ${causeOf(thrown)}`);
  }
}

/** Removes a folder that holds nothing; one that holds something, or is not there, stays as it is. */
export function removeEmptyFolder(path: string): Result<void> {
  try {
    rmdirSync(path);
    syncFolder(dirname(path));
    return done(undefined);
  } catch (thrown) {
    const code = codeOf(thrown);
    return code === "ENOENT" || code === "ENOTEMPTY" || code === "EEXIST"
      ? done(undefined)
      : failed(`cannot remove ${path}: ${causeOf(thrown)}`);
  }
}
