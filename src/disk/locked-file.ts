import { closeSync, constants, fstatSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { readToEnd, writeAll } from "../base/descriptors.ts";
import { recordBytesMax } from "../base/limits.ts";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";
import { platform } from "../process/platform.ts";
import { syncFolder, temporaryName } from "./replace-file.ts";

/** A file whose inode its writer keeps locked, while at least one process holds the descriptor. */
export interface LockedFile {
  readonly path: string;
  /** Kept open; a process it is handed to shares the lock. */
  readonly descriptor: number;
  /** Adds one line to the locked inode. */
  readonly append: (line: object) => Result<void>;
}

/** Makes a file whole: locked before anyone can see it, synced, renamed into place, the folder synced. */
export function makeLockedFile(path: string, firstLine: object): Result<LockedFile> {
  const temporary = temporaryName(path);
  let descriptor: number | null = null;
  try {
    descriptor = openSync(
      temporary,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
      0o600,
    );
    if (platform.tryLock(descriptor) === "held") throw new Error("its new file is locked by another process");
    writeAll(descriptor, `${JSON.stringify(firstLine)}\n`);
    fsyncSync(descriptor);
    renameSync(temporary, path);
    syncFolder(dirname(path));
    const kept = descriptor;
    return done({ path, descriptor: kept, append: (line) => appendTo(path, kept, line) });
  } catch (thrown) {
    if (descriptor !== null) closeSync(descriptor);
    removeTemporary(temporary);
    return failed(`cannot write ${path}: ${causeOf(thrown)}`);
  }
}

/** A locked file as another process finds it. */
export interface FoundFile {
  readonly text: string;
  /** Some process still holds its lock. */
  readonly held: boolean;
}

/** Reads a regular file and probes its lock. Null = it vanished, which is its owner's clean-up. A symbolic link is never followed. */
export function readLockedFile(path: string): Result<FoundFile | null> {
  let descriptor: number;
  try {
    descriptor = openFound(path);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return done(null);
    return failed(`cannot read ${path}: ${codeOf(thrown) === "ELOOP" ? "it is a symbolic link" : causeOf(thrown)}`);
  }
  try {
    const about = fstatSync(descriptor);
    if (!about.isFile()) return failed(`cannot read ${path}: it is no regular file`);
    if (about.size > recordBytesMax)
      return failed(`cannot read ${path}: its ${about.size} bytes are over the limit of ${recordBytesMax}`);
    const held = isHeld(descriptor);
    return done({ held, text: readToEnd(descriptor).toString() });
  } catch (thrown) {
    return failed(`cannot inspect ${path}: ${causeOf(thrown)}`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * One look at a lock. A process that is just being started holds copies of its parent's files for an instant, so "held" is only believed
 * when it is seen again a moment later. False also when it cannot be told; reading the file then says why.
 */
export function looksHeld(path: string): boolean {
  try {
    const descriptor = openFound(path);
    try {
      return isHeld(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

/** A pipe that somebody put here must not make the reader wait for its writer. */
function openFound(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

function isHeld(descriptor: number): boolean {
  if (platform.tryLock(descriptor) === "held") return true;
  platform.unlock(descriptor);
  return false;
}

function appendTo(path: string, descriptor: number, line: object): Result<void> {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  try {
    const written = writeSync(descriptor, bytes);
    return written === bytes.length ? done(undefined) : failed(`cannot write ${path}: only ${written} bytes went in`);
  } catch (thrown) {
    return failed(`cannot write ${path}: ${causeOf(thrown)}`);
  }
}

function removeTemporary(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was renamed, or never made; a later start sweeps what is left.
  }
}
