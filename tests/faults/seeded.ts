/** How much smaller than its full size a fault test runs: `bun run test --scale N` (default 20; 1 = full). */
const scale: number = Math.max(1, Number(process.env["TAMA_TEST_SCALE"] ?? "20"));

/** The count of a fault test at this scale, never none. */
export function scaled(full: number): number {
  return Math.max(1, Math.round(full / scale));
}

export interface Seeded {
  readonly seed: number;
  /** A whole number from 0 below `below`. */
  readonly below: (below: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
  readonly chance: (share: number) => boolean;
}

/** Chance that can be played again: TAMA_TEST_SEED, else a new one, printed by whoever uses it. */
export function seeded(): Seeded {
  const given = Number(process.env["TAMA_TEST_SEED"]);
  const seed = Number.isInteger(given) && given > 0 ? given : 1 + Math.floor(Math.random() * 0x7fff_fffe);
  let state = seed >>> 0;
  // mulberry32: small, fast, and good enough to choose what a test does.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    seed,
    below,
    chance: (share) => next() < share,
    pick: (from) => {
      const one = from[below(from.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    },
  };
}
