import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";
import { type Incarnation, stillRuns } from "./identity.ts";

/**
 * Ends a whole group that the caller itself leads or started, while its leader is known to be uncollected: only then can no other
 * process have got the number. A group that is gone already is done.
 */
export function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (thrown) {
    if (codeOf(thrown) !== "ESRCH") throw thrown;
  }
}

/** Ends a child the caller has not collected yet; its number cannot belong to anybody else. */
export function endOwnChild(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (thrown) {
    if (codeOf(thrown) !== "ESRCH") throw thrown;
  }
}

/** Sends SIGKILL to the recorded process only: not when its number now belongs to another, nor when that cannot be told. */
export function endRecorded(recorded: Incarnation): Result<"sent" | "gone"> {
  const runs = stillRuns(recorded);
  if (runs === false) return done("gone");
  if (runs === null)
    return failed(`the kernel shows no start time for process ${recorded.pid}, so it is not signalled`);
  try {
    process.kill(recorded.pid, "SIGKILL");
    return done("sent");
  } catch (thrown) {
    return codeOf(thrown) === "ESRCH" ? done("gone") : failed(causeOf(thrown));
  }
}
