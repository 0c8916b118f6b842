import type { SessionReplay } from "./session-replay.ts";

export interface GateTotals {
  readonly gate: string;
  /** Calls or endings that the gate was asked about. */
  readonly asked: number;
  readonly refusals: number;
  readonly right: number;
  readonly wrong: number;
  readonly undecided: number;
  /** The same by what was refused, where that tells more. */
  readonly byKind: Readonly<Record<string, Counts>>;
}

export interface Counts {
  readonly refusals: number;
  readonly right: number;
  readonly wrong: number;
  readonly undecided: number;
}

export interface Totals {
  readonly sessions: number;
  readonly stopped: number;
  readonly bytes: number;
  readonly calls: number;
  readonly endings: number;
  readonly gates: readonly GateTotals[];
}

/** Sums up replayed sessions, a row a gate in the order given; `onEndings` are the gates that are asked at endings. */
export function totalsOf(
  sessions: readonly SessionReplay[],
  gates: readonly string[],
  onEndings: ReadonlySet<string>,
): Totals {
  const calls = sum(sessions, (one) => one.calls);
  const endings = sum(sessions, (one) => one.endings);
  const refusals = sessions.flatMap((one) => one.refusals);
  return {
    sessions: sessions.length,
    stopped: sessions.filter((one) => one.stopped !== null).length,
    bytes: sum(sessions, (one) => one.bytes),
    calls,
    endings,
    gates: gates.map((gate) => {
      const own = refusals.filter((one) => one.gate === gate);
      const kinds = [...new Set(own.map((one) => one.kind))].filter((kind) => kind !== null).sort();
      const byKind = kinds.map((kind) => [kind, countsOf(own.filter((one) => one.kind === kind))] as const);
      return {
        gate,
        asked: onEndings.has(gate) ? endings : calls,
        ...countsOf(own),
        byKind: Object.fromEntries(byKind),
      };
    }),
  };
}

function countsOf(refusals: readonly { readonly judgement: keyof Counts | string }[]): Counts {
  const count = (judgement: string): number => refusals.filter((one) => one.judgement === judgement).length;
  return { refusals: refusals.length, right: count("right"), wrong: count("wrong"), undecided: count("undecided") };
}

function sum<One>(all: readonly One[], of: (one: One) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
