import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";
import { type Incarnation, stillRuns } from "./identity.ts";
import { startedHere } from "./start.ts";

/**
 * Ends the whole group of a leader that was started here, while that leader is uncollected: only then can no other process have got
 * the number. After that, closing its channel ends what is left of it, since the kernel holds on to the group itself there.
 */
export function endGroup(leader: number): void {
  if (startedHere.has(leader)) kill(-leader);
}

/**
 * Ends a child the caller has not collected yet; its number cannot belong to anybody else.
 *
 * @returns false when it runs as another user and may not be signalled
 */
export function endOwnChild(pid: number): boolean {
  return kill(pid);
}

/** What is gone is done. A group of nothing but dead members is EPERM on macOS. */
function kill(target: number): boolean {
  try {
    process.kill(target, "SIGKILL");
    return true;
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "ESRCH") return true;
    if (code === "EPERM") return false;
    throw thrown;
  }
}

/** Sends SIGKILL to the recorded process only: not when its number now belongs to another, nor when that cannot be told. */
export function endRecorded(recorded: Incarnation): Result<"sent" | "gone"> {
  const runs = stillRuns(recorded);
  if (runs === false) return done("gone");
  if (runs === null)
    return failed(
      `whether process ${recorded.pid} is still the recorded one cannot be told from here, so it is not signalled`,
    );
  try {
    process.kill(recorded.pid, "SIGKILL");
    return done("sent");
  } catch (thrown) {
    return codeOf(thrown) === "ESRCH" ? done("gone") : failed(causeOf(thrown));
  }
}
