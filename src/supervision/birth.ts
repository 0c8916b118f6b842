import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { writeAll } from "../base/descriptors.ts";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import { syncFolder, temporaryName } from "../disk/replace-file.ts";
import { platform } from "../process/platform.ts";
import type { AssignmentLine, Birth } from "../words/records.ts";

/**
 * A supervisor's birth record. Theory of operation: the record is written whole to a temporary file whose inode is locked first, synced,
 * renamed into place and the folder synced, all before any hook may start. So at no instant does a hook run that no complete,
 * locked record names; whoever finds a record unlocked knows that its whole group has let go of it, without asking after any pid.
 */
export interface BirthRecord {
  readonly path: string;
  /** Kept open for the supervisor's life and handed to its hook: the lock belongs to the group. */
  readonly descriptor: number;
  /** Adds one line to the locked inode. */
  readonly append: (line: object) => Result<void>;
}

export function birthPath(inFlight: string, identity: string): string {
  return join(inFlight, `${identity}.json`);
}

export function recordBirth(inFlight: string, birth: Birth): Result<BirthRecord> {
  const path = birthPath(inFlight, birth.hookBirthIdentity);
  const temporary = temporaryName(path);
  try {
    const descriptor = openSync(
      temporary,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
      0o600,
    );
    if (platform.tryLock(descriptor) === "held") throw new Error("its new file is locked by another process");
    writeAll(descriptor, `${JSON.stringify(birth)}\n`);
    fsyncSync(descriptor);
    renameSync(temporary, path);
    syncFolder(inFlight);
    return done({ path, descriptor, append: (line) => appendTo(path, descriptor, line) });
  } catch (thrown) {
    return failed(`cannot write the birth record ${path}: ${causeOf(thrown)}`);
  }
}

export function releaseBirth(record: BirthRecord): void {
  closeSync(record.descriptor);
}

/** The assignment as one more line: which hook this supervisor now runs, for whom. */
export function recordAssignment(record: BirthRecord, assignment: AssignmentLine): Result<void> {
  return record.append(assignment);
}

function appendTo(path: string, descriptor: number, line: object): Result<void> {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  try {
    const written = writeSync(descriptor, bytes);
    return written === bytes.length
      ? done(undefined)
      : failed(`cannot write the birth record ${path}: only ${written} bytes went in`);
  } catch (thrown) {
    return failed(`cannot write the birth record ${path}: ${causeOf(thrown)}`);
  }
}
