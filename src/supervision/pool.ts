import { done, type Result } from "../base/result.ts";
import { type Nursery, type Supervisor, startSupervisor } from "./supervisor.ts";

/**
 * Supervisors started ahead of need: born, armed and waiting, so that a built-in gate costs a message instead of a process start. The
 * pool grows to the most that were taken at once and refills only while nothing is being dispatched, one at a time.
 */
export interface Pool {
  readonly take: () => Result<Supervisor>;
  /** Says how many supervisors one dispatch wants. */
  readonly want: (count: number) => void;
  /** Starts missing members in the background. */
  readonly refill: () => void;
  /** No more starts; everything idle is ended. */
  readonly close: () => Promise<void>;
}

export function openPool(nursery: Nursery, later: (work: () => void) => void): Pool {
  const idle: Supervisor[] = [];
  let wanted = 0;
  let open = true;
  let refilling = false;
  const step = (): void => {
    if (!open || idle.length >= wanted) {
      refilling = false;
      return;
    }
    const started = startSupervisor(nursery);
    if (started.ok) idle.push(started.value);
    // A member that cannot be started is not retried here: the dispatch that needs one will say why.
    if (started.ok) later(step);
    else refilling = false;
  };
  return {
    take: () => {
      const ready = idle.shift();
      return ready === undefined ? startSupervisor(nursery) : done(ready);
    },
    want: (count) => {
      wanted = Math.min(Math.max(wanted, count), idleMax);
    },
    refill: () => {
      if (refilling) return;
      refilling = true;
      later(step);
    },
    close: async () => {
      open = false;
      await Promise.all(idle.splice(0).map((member) => member.end()));
    },
  };
}

/** An idle member costs about 2.5 MB of its own memory. */
const idleMax = 48;
