/**
 * Keeps the effects of one session's lines in the order of the lines (contract 2) without making one call wait for another's slow hooks.
 * A result waits for its own call's decision; whatever reads the records waits for the results before it; a call waits for an identical
 * one before it. A call refused late is not kept when a later line has already released what was kept.
 */
export interface Order {
  /** Runs `work` in line order. `after` are decisions still running that it depends on. */
  readonly inTurn: <T>(key: string, after: readonly Promise<unknown>[], work: () => Promise<T>) => Promise<T>;
  /** Announces a decision under names by which later lines find it, until it settles. */
  readonly deciding: (key: string, names: readonly string[], decision: Promise<unknown>) => void;
  readonly decisionsFor: (key: string, names: readonly string[]) => readonly Promise<unknown>[];
  /** The number of the line that begins now. */
  readonly nextLine: (key: string) => number;
  readonly noteRelease: (key: string, line: number, by: Releaser) => void;
  readonly releasedAfter: (key: string, line: number, by: Releaser) => boolean;
}

/** What released: a call that changed something, or a person's message, which lifts no unanswered call. */
export type Releaser = "change" | "person";

interface SessionOrder {
  /** Settles when all record work taken in so far is done. */
  tail: Promise<unknown>;
  lines: number;
  readonly lastRelease: Record<Releaser, number>;
  readonly decisions: Map<string, Set<Promise<unknown>>>;
}

export function openOrder(): Order {
  const sessions = new Map<string, SessionOrder>();
  const of = (key: string): SessionOrder => {
    const found = sessions.get(key) ?? {
      tail: Promise.resolve(),
      lines: 0,
      lastRelease: { change: -1, person: -1 },
      decisions: new Map(),
    };
    sessions.set(key, found);
    return found;
  };
  return {
    inTurn: async (key, after, work) => {
      const session = of(key);
      const before = session.tail;
      const turn = Promise.allSettled([before, ...after]).then(work);
      session.tail = turn.catch(() => {});
      return await turn;
    },
    deciding: (key, names, decision) => addDecision(of(key), names, decision),
    decisionsFor: (key, names) => names.flatMap((name) => [...(of(key).decisions.get(name) ?? [])]),
    nextLine: (key) => of(key).lines++,
    noteRelease: (key, line, by) => {
      const { lastRelease } = of(key);
      lastRelease[by] = Math.max(lastRelease[by], line);
    },
    releasedAfter: (key, line, by) => of(key).lastRelease[by] > line,
  };
}

function addDecision(session: SessionOrder, names: readonly string[], decision: Promise<unknown>): void {
  for (const name of names) {
    const set = session.decisions.get(name) ?? new Set();
    set.add(decision);
    session.decisions.set(name, set);
  }
  const forget = (): void => {
    for (const name of names) {
      const set = session.decisions.get(name);
      set?.delete(decision);
      if (set?.size === 0) session.decisions.delete(name);
    }
  };
  decision.then(forget, forget);
}
