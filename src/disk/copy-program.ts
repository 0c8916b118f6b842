import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { sha256 } from "../base/digest.ts";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import { removeTemporariesOf, syncFolder, temporaryName } from "./replace-file.ts";

/**
 * Puts a copy of a program at `place`, replacing what is there whole: copied beside it, synced, renamed. Programs that run from the old file
 * keep it. The folder is made where it is missing.
 */
export function copyProgram(source: string, place: string): Result<void> {
  const temporary = temporaryName(place);
  try {
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(source, temporary, constants.COPYFILE_FICLONE);
    chmodSync(temporary, 0o755);
    const descriptor = openSync(temporary, "r");
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(temporary, place);
    syncFolder(dirname(place));
    return done(undefined);
  } catch (thrown) {
    removeTemporariesOf(place);
    return failed(`cannot write ${place}: ${causeOf(thrown)}`);
  }
}

/** Whether two programs are the same bytes. */
export function sameBytes(one: string, other: string): Result<boolean> {
  try {
    if (statSync(one).size !== statSync(other).size) return done(false);
    return done(sha256(readFileSync(one)) === sha256(readFileSync(other)));
  } catch (thrown) {
    return failed(`cannot compare ${one} with ${other}: ${causeOf(thrown)}`);
  }
}
