import { join } from "node:path";
import { failed, type Result } from "../base/result.ts";
import { type LockedFile, makeLockedFile } from "../disk/locked-file.ts";
import { removeHarmless } from "../disk/remove-file.ts";
import { removeTemporariesOf } from "../disk/replace-file.ts";
import type { Birth } from "../words/records.ts";

/**
 * A supervisor's birth record. Theory of operation: the record is written whole to a temporary file whose inode is locked first, synced,
 * renamed into place and the folder synced, all before any hook may start. So at no instant does a hook run that no complete,
 * locked record names; whoever finds a record unlocked knows that its whole group has let go of it, without asking after any pid. The
 * descriptor is kept for the supervisor's life and handed to its hook, so that the lock belongs to the group.
 */
export function recordBirth(inFlight: string, birth: Birth): Result<LockedFile> {
  const record = makeLockedFile(birthPath(inFlight, birth.hookBirthIdentity), birth);
  return record.ok ? record : failed(`the birth record could not be made: ${record.cause}`);
}

/**
 * Removes the record of a supervisor that is gone, or the beginning of one that it did not finish. What cannot be removed stays unlocked for
 * the next inspection, which removes it or says why not.
 */
export function removeBirth(inFlight: string, identity: string, finished: boolean): void {
  const path = birthPath(inFlight, identity);
  removeHarmless(path);
  if (!finished) removeTemporariesOf(path);
}

function birthPath(inFlight: string, identity: string): string {
  return join(inFlight, `${identity}.json`);
}
