import { closeSync, constants, fsyncSync, openSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeAll } from "../base/descriptors.ts";
import { newMark } from "../base/ids.ts";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";
import { stillRuns } from "../process/identity.ts";

/**
 * Replaces a file whole: temporary file in the same folder, fsync, rename, fsync of the folder. A reader sees the old bytes or the new
 * ones, also after a crash at any point. A failed fsync is not tried again (the kernel may have dropped the pages): the write has failed.
 */
export function replaceFile(path: string, text: string, mode = 0o600): Result<void> {
  const temporary = temporaryName(path);
  try {
    writeSynced(temporary, text, mode);
    renameSync(temporary, path);
    syncFolder(dirname(path));
    return done(undefined);
  } catch (thrown) {
    removeQuietly(temporary);
    return failed(`cannot write ${path}: ${causeOf(thrown)}`);
  }
}

/** The temporary's name tells its writer, so that a later start can tell a left-over from one being written. */
export function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${newMark()}.tmp`);
}

/** Makes a rename or a removal in `folder` survive a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes temporaries whose writer no longer runs, but those that are held: a writer may be hidden by a sandbox. */
export function sweepTemporaries(folder: string, isHeld: (path: string) => boolean = () => false): void {
  for (const name of namesIn(folder)) {
    const writer = /^\..*\.(\d+)\.[0-9a-f]{12}\.tmp$/.exec(name)?.[1];
    if (writer === undefined || stillRuns({ pid: Number(writer), start: null }) !== false) continue;
    const path = join(folder, name);
    if (!isHeld(path)) removeQuietly(path);
  }
}

/** Removes the temporaries of one file whose writer has been ended. */
export function removeTemporariesOf(path: string): void {
  const start = `.${basename(path)}.`;
  for (const name of namesIn(dirname(path)))
    if (name.startsWith(start) && name.endsWith(".tmp")) removeQuietly(join(dirname(path), name));
}

function writeSynced(path: string, text: string, mode: number): void {
  const descriptor = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    mode,
  );
  try {
    writeAll(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT") return;
  }
}
