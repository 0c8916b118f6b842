import type { Clock } from "../base/clock.ts";
import { done, type Result } from "../base/result.ts";
import { type Nursery, type Supervisor, startSupervisor } from "./supervisor.ts";

/**
 * Supervisors started ahead of need: born, armed and waiting, so that a built-in gate costs a message instead of a process start. The
 * pool keeps as many as were lately wanted at once. Whatever is not needed for an answer, ending the used and starting the next, is
 * done a step at a time while no dispatch is new, so that it does not take the processors from the hooks that are asked.
 */
export interface Pool {
  readonly take: () => Result<Supervisor>;
  /** Says that a dispatch with `count` hooks is running, until the returned function is called. */
  readonly during: (count: number) => () => void;
  /** Takes a supervisor whose gate has ended; its process, of no more use, is ended when there is time. */
  readonly retire: (supervisor: Supervisor) => void;
  /** Starts missing members in the background. */
  readonly refill: () => void;
  /** No more starts ahead of need. Settles when every supervisor is gone, also one whose hook has just ended. */
  readonly close: () => Promise<void>;
}

export function openPool(nursery: Nursery, clock: Clock): Pool {
  const idle = new Set<Supervisor>();
  const living = new Set<Supervisor>();
  const retired: Supervisor[] = [];
  const demand = openDemand(clock);
  let open = true;
  let working = false;
  let sickly = false;
  const start = (): Result<Supervisor> => {
    const started = startSupervisor(nursery);
    if (!started.ok) return started;
    const member = followed(started.value, (gone) => living.delete(gone));
    living.add(member);
    return done(member);
  };
  const addIdle = (): void => {
    const started = start();
    // A member that cannot be started is not tried again here: the dispatch that needs one will say why.
    if (!started.ok) {
      sickly = true;
      return;
    }
    const member = started.value;
    idle.add(member);
    // One that says anything while it is idle could not be born, or has died: it is of no use, its word is nobody's answer, and the
    // next would fare the same.
    void member.outcome.then(() => {
      if (!idle.delete(member)) return;
      sickly = true;
      member.end().catch(() => {});
    });
  };
  const takeIdle = (): Supervisor | undefined => {
    for (const ready of idle) {
      idle.delete(ready);
      return ready;
    }
    return undefined;
  };
  /** @returns whether there was anything to do */
  const step = (): boolean => {
    if (!open) return false;
    const used = retired.splice(0);
    const surplus = idle.size > demand.wanted() ? takeIdle() : undefined;
    for (const member of surplus === undefined ? used : [...used, surplus]) member.end().catch(() => {});
    if (used.length > 0 || surplus !== undefined) return true;
    if (sickly || idle.size >= demand.wanted()) return false;
    addIdle();
    return true;
  };
  const work = async (): Promise<void> => {
    do await clock.sleep(stepMs);
    while ((demand.isNew() && idle.size > 0 && retired.length < retiredMost) || step());
    working = false;
  };
  const refill = (): void => {
    sickly = false;
    if (working) return;
    working = true;
    void work();
  };
  return {
    take: () => {
      const ready = takeIdle();
      return ready === undefined ? start() : done(ready);
    },
    during: (count) => {
      const over = demand.during(count);
      return () => {
        over();
        refill();
      };
    },
    retire: (supervisor) => void retired.push(supervisor),
    refill,
    close: async () => {
      open = false;
      await Promise.all([...living].map((member) => member.end().catch(() => {})));
    },
  };
}

interface Demand {
  readonly during: (count: number) => () => void;
  /** The most hooks that ran at once in this span of time and the one before it. */
  readonly wanted: () => number;
  /** A dispatch has begun a moment ago and is still running: an answer of gates is being waited for. */
  readonly isNew: () => boolean;
}

function openDemand(clock: Clock): Demand {
  const begun = new Set<{ readonly at: number }>();
  let now = 0;
  let peak = 0;
  let peakBefore = 0;
  let since = clock.ticks();
  return {
    during: (count) => {
      const dispatch = { at: clock.ticks() };
      begun.add(dispatch);
      now += count;
      peak = Math.max(peak, now);
      return () => {
        begun.delete(dispatch);
        now -= count;
      };
    },
    wanted: () => {
      if (clock.ticks() - since > spanMs) {
        since = clock.ticks();
        peakBefore = peak;
        peak = now;
      }
      return Math.min(Math.max(peak, peakBefore), idleMax);
    },
    isNew: () => [...begun].some(({ at }) => clock.ticks() - at < newMs),
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

/** An idle member, its gates rehearsed, costs about 5 MB of its own memory (measured). */
const idleMax = 48;
const stepMs = 2;
const newMs = 20;
/** Used processes wait no longer than until there are so many of them. */
const retiredMost = 64;
/** A span without a burst is forgotten after another one. */
const spanMs = 300_000;
