/** A journey's own limit: an agent takes up to two seconds to start and one for a turn, on a shared machine several times that. */
export const limitMs = 120_000;

/**
 * A journey with a real agent is tried a second time, and named as unsteady when it passes then (workshop/suite.ts): it drives programs of
 * others, whose pace is not ours. A journey of Tama alone that fails once has shown a fault.
 */
export const limit = { timeout: limitMs, retry: 1 } as const;
