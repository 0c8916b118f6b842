/** What every fault test shares: how often, in which order of chance, how many at a time, and one line that says how it went. */

/** Full counts are divided by TAMA_TEST_SCALE (default 20, as CI runs them). */
export function scaled(count: number): number {
  return Math.max(1, Math.ceil(count / Number(process.env["TAMA_TEST_SCALE"] ?? "20")));
}

/** Long enough for a full count on a slow machine; a fault test that hangs is ended by the runner of the suite. */
export const patience = 1_500_000;

export interface Chance {
  readonly seed: number;
  /** From 0 up to, not including, `below`; whole numbers. */
  readonly whole: (below: number) => number;
  readonly oneOf: <T>(choices: readonly T[]) => T;
}

/** TAMA_TEST_SEED takes a printed seed back. */
export function chance(fault: string): Chance {
  const seed = Number(process.env["TAMA_TEST_SEED"] ?? crypto.getRandomValues(new Uint32Array(1))[0]);
  console.log(`${fault}: seed ${seed}`);
  let state = seed >>> 0;
  const whole = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return {
    seed,
    whole,
    oneOf: (choices) => {
      const chosen = choices[whole(choices.length)];
      if (chosen === undefined) throw new Error("nothing to choose from");
      return chosen;
    },
  };
}

/** Runs `work` for 0 … count-1, some at a time, in order of start. */
export async function repeat(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

/** The verdict line: `fault 1: 1000 × kill -9 of the core: 0 living hook processes, 0 unreadable records`. */
export function verdict(fault: number, count: number, what: string, found: Readonly<Record<string, number>>): void {
  const counts = Object.entries(found).map(([name, number]) => `${number} ${name}`);
  console.log(`fault ${fault}: ${count} × ${what}: ${counts.join(", ")}`);
}
