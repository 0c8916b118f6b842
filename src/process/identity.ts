import { platform } from "./platform.ts";

/** One incarnation of a process. `start` is null where the kernel shows no start time (a sandbox without /proc). */
export interface Incarnation {
  readonly pid: number;
  readonly start: string | null;
}

export function ownIncarnation(): Incarnation {
  return incarnationOf(process.pid);
}

export function incarnationOf(pid: number): Incarnation {
  const seen = platform.startOf(pid);
  return { pid, start: seen.kind === "started" ? seen.start : null };
}

/**
 * Whether the very process that was recorded still runs. A pid whose start differs is another process; an unknown start, or one of
 * another pid namespace, is no proof of anything and answers null.
 */
export function stillRuns(recorded: Incarnation): boolean | null {
  if (recorded.start !== null && !platform.comparable(recorded.start)) return null;
  const seen = platform.startOf(recorded.pid);
  if (seen.kind === "unknown") return null;
  // Whoever holds the number of one that has ended, it is that one or it came before.
  if (seen.kind === "gone" || seen.ended) return false;
  return recorded.start === null ? null : seen.start === recorded.start;
}
