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
  /** No more starts ahead of need. Settles when every supervisor is gone, also one whose hook has just ended. */
  readonly close: () => Promise<void>;
}

export function openPool(nursery: Nursery, later: (work: () => void) => void): Pool {
  const idle = new Set<Supervisor>();
  const living = new Set<Supervisor>();
  let wanted = 0;
  let open = true;
  let refilling = false;
  let sickly = false;
  const start = (): Result<Supervisor> => {
    const started = startSupervisor(nursery);
    if (!started.ok) return started;
    const member = followed(started.value, (gone) => living.delete(gone));
    living.add(member);
    return done(member);
  };
  const step = (): void => {
    const started = open && !sickly && idle.size < wanted ? start() : null;
    // A member that cannot be started is not tried again here: the dispatch that needs one will say why.
    refilling = started?.ok === true;
    if (started?.ok !== true) return;
    const member = started.value;
    idle.add(member);
    // One that says anything while it is idle could not be born, or has died: it is of no use, its word is nobody's answer, and the
    // next would fare the same.
    void member.outcome.then(() => {
      if (!idle.delete(member)) return;
      sickly = true;
      member.end().catch(() => {});
    });
    later(step);
  };
  return {
    take: () => {
      for (const ready of idle) {
        idle.delete(ready);
        return done(ready);
      }
      return start();
    },
    want: (count) => {
      wanted = Math.min(Math.max(wanted, count), idleMax);
    },
    refill: () => {
      if (refilling) return;
      refilling = true;
      sickly = false;
      later(step);
    },
    close: async () => {
      open = false;
      await Promise.all([...living].map((member) => member.end().catch(() => {})));
    },
  };
}

function followed(supervisor: Supervisor, onGone: (gone: Supervisor) => void): Supervisor {
  const end = supervisor.end;
  const member: Supervisor = {
    ...supervisor,
    end: async () => {
      await end();
      onGone(member);
    },
  };
  return member;
}

/** An idle member costs about 2.5 MB of its own memory. */
const idleMax = 48;
