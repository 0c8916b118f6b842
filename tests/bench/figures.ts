/** Figures count as ratios within one run: each case is measured beside its floor, turn by turn, on the same machine in the same minute. */
export interface Row {
  readonly name: string;
  readonly unit: "ms" | "MB";
  readonly p50: number;
  readonly p99: number;
  readonly floor: number;
  /** What the floor is, in words. */
  readonly beside: string;
  readonly ratio: number;
  readonly goals: readonly Goal[];
  readonly note?: string;
}

export interface Goal {
  /** In words: "≤ 1.0× its floor". */
  readonly says: string;
  readonly most: number;
  readonly reached: number;
  readonly unit: "×" | " ms" | " MB" | "";
}

/** One measured thing: does it once and gives its milliseconds. */
export type Once = () => Promise<number>;

export interface Samples {
  readonly measured: readonly number[];
  readonly floor: readonly number[];
}

/** Measures both in turn; `between` runs unmeasured before each round, so that neither meets what the other left to do. */
export async function inTurn(
  rounds: number,
  measured: Once,
  floor: Once,
  between: () => Promise<void> = async () => {},
): Promise<Samples> {
  const samples: { measured: number[]; floor: number[] } = { measured: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    await between();
    samples.floor.push(await floor());
    samples.measured.push(await measured());
  }
  return samples;
}

/** How long `work` took, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export interface RowRequest {
  readonly name: string;
  readonly beside: string;
  readonly samples: Samples;
  /** The most times its floor that the median may be. */
  readonly times: number | null;
  /** The most times its floor, or milliseconds, that the 99th percentile may be. */
  readonly tail?: { readonly times: number } | { readonly ms: number };
  readonly note?: string;
}

export function rowOf({ name, beside, samples, times, tail, note }: RowRequest): Row {
  const p50 = percentile(samples.measured, 0.5);
  const p99 = percentile(samples.measured, 0.99);
  const floor = percentile(samples.floor, 0.5);
  const goals: Goal[] = [];
  if (times !== null) goals.push({ says: `p50 ≤ ${times}×`, most: times, reached: p50 / floor, unit: "×" });
  if (tail !== undefined && "times" in tail)
    goals.push({ says: `p99 ≤ ${tail.times}×`, most: tail.times, reached: p99 / floor, unit: "×" });
  if (tail !== undefined && "ms" in tail)
    goals.push({ says: `p99 ≤ ${tail.ms} ms`, most: tail.ms, reached: p99, unit: " ms" });
  return {
    name,
    unit: "ms",
    p50,
    p99,
    floor,
    beside,
    ratio: p50 / floor,
    goals,
    ...(note === undefined ? {} : { note }),
  };
}

export function isMet(goal: Goal): boolean {
  return goal.reached <= goal.most;
}

/** The goal's own sentence: met, or missed and by how much. */
export function verdictOf(row: Row, goal: Goal): string {
  const figure = (value: number): string => `${Number.isInteger(value) ? value : value.toFixed(2)}${goal.unit}`;
  const how = isMet(goal)
    ? `met (${figure(goal.reached)})`
    : `missed by ${figure(Number((goal.reached - goal.most).toFixed(2)))} (${figure(goal.reached)})`;
  return `${row.name}: ${goal.says}: ${how}`;
}
