import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Replaces a file of the person's whole and leaves its permissions as they are; a new one gets `modeWhenNew`, and its folders are made,
 * closed to others where the file is.
 * `path` is the file itself, not a link to it. Permissions are set on the replacement after the rename, since the umask may cut those
 * given at creation: for a moment the file is closed tighter than it was, never opened wider.
 */
export function replaceKeepingMode(path: string, text: string, modeWhenNew: number): Result<void> {
  try {
    const mode = modeOf(path) ?? modeWhenNew;
    mkdirSync(dirname(path), { recursive: true, ...((mode & 0o077) === 0 ? { mode: 0o700 } : {}) });
    const replaced = replaceFile(path, text, mode);
    if (replaced.ok) chmodSync(path, mode);
    return replaced.ok ? done(undefined) : replaced;
  } catch (thrown) {
    return failed(`cannot write ${path}: ${causeOf(thrown)}`);
  }
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode & 0o7777;
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return null;
    throw thrown;
  }
}
