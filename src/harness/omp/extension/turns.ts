import { causeOf } from "./fields.ts";
import type { Context } from "./host.ts";
import type { Session } from "./session.ts";
import { holdsWithin } from "./waiting.ts";

const settlesWithinMs = 60_000;
const startsWithinMs = 15_000;

/**
 * Sends a message into an idle session, which starts the next turn on it. Sent while a run is still being torn down it would join that
 * run, and OMP would skip every later ending of it; while OMP compacts it would not even hear of the run. So the idle session is waited
 * for. Returns null when a run began, else why none did.
 */
export async function startTurn(
  session: Session,
  context: Context,
  message: { readonly customType: string; readonly content: string; readonly display: boolean },
  isWanted: () => boolean,
): Promise<string | null> {
  const before = session.runs;
  const isIdle = (): boolean => context.isIdle?.() !== false;
  const free = (): boolean => !isWanted() || session.runs > before || (isIdle() && !session.inCompaction);
  // A compaction that failed may leave no sign; the message is not lost for it.
  if (!(await holdsWithin(free, settlesWithinMs)) && !isIdle())
    return `OMP's run did not end within ${settlesWithinMs / 1000} s`;
  if (!isWanted() || session.runs > before) return "another message took the turn";
  try {
    if (session.pi.sendMessage === undefined) return "OMP offers no way to send a message";
    session.pi.sendMessage({ ...message, attribution: "agent" }, { triggerTurn: true });
  } catch (thrown) {
    return causeOf(thrown);
  }
  if (await holdsWithin(() => session.runs > before || !isWanted(), startsWithinMs))
    return session.runs > before ? null : "another message took the turn";
  return `OMP reported no start of a run within ${startsWithinMs / 1000} s`;
}
