import { closeSync, constants, openSync } from "node:fs";
import { systemClock } from "../base/clock.ts";
import { sayOnStderr } from "../base/descriptors.ts";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import { platform } from "../process/platform.ts";

/** A held lock; the kernel frees it with its holder, however that ends. */
export interface HeldLock {
  readonly release: () => void;
}

/**
 * Waits for the advisory lock on `path` (made when absent, never deleted). There is no time limit: a lock is held for milliseconds or
 * by a process that was stopped, and then waiting, said on stderr after a second, is the only safe answer.
 */
export async function takeLock(path: string, waitingFor: string): Promise<Result<HeldLock>> {
  const opened = openLock(path);
  if (!opened.ok) return opened;
  const descriptor = opened.value;
  const since = systemClock.ticks();
  let said = false;
  try {
    while (platform.tryLock(descriptor) === "held") {
      if (!said && systemClock.ticks() - since > 1000) {
        said = true;
        sayOnStderr(`tama: waiting for ${waitingFor} (lock ${path})`);
      }
      await systemClock.sleep(said ? 20 : 1);
    }
  } catch (thrown) {
    closeSync(descriptor);
    return failed(`cannot lock ${path}: ${causeOf(thrown)}`);
  }
  return done({ release: () => closeSync(descriptor) });
}

/** The same without waiting: null while somebody else holds it. For work that whoever holds it does anyway. */
export function takeFreeLock(path: string): Result<HeldLock | null> {
  const opened = openLock(path);
  if (!opened.ok) return opened;
  const descriptor = opened.value;
  try {
    if (platform.tryLock(descriptor) !== "held") return done({ release: () => closeSync(descriptor) });
  } catch (thrown) {
    closeSync(descriptor);
    return failed(`cannot lock ${path}: ${causeOf(thrown)}`);
  }
  closeSync(descriptor);
  return done(null);
}

function openLock(path: string): Result<number> {
  try {
    return done(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  } catch (thrown) {
    return failed(`cannot open the lock ${path}: ${causeOf(thrown)}`);
  }
}
