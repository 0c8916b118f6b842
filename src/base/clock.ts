/** The one door to time. Nothing here decides a verdict: times are written down, and waits only space out looks. */
export interface Clock {
  /** RFC 3339 UTC with milliseconds (contract 5). */
  readonly iso: () => string;
  /** Milliseconds that only grow, for durations inside this process. */
  readonly ticks: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export const systemClock: Clock = {
  iso: () => new Date().toISOString(),
  ticks: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Calls `tick` every `ms` until the returned function is called. Does not keep the process alive. */
export function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
