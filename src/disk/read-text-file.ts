import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { readToEnd } from "../base/descriptors.ts";
import { recordBytesMax } from "../base/limits.ts";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";

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
