import { every } from "../../base/clock.ts";
import { type Incarnation, incarnationOf, stillRuns } from "../../process/identity.ts";

/** Says when to stop waiting for hooks, and why; `close` lets go of all it watches. */
export interface HostWatch {
  readonly signal: AbortSignal;
  /** Aborts for a reason of the caller's. */
  readonly stop: (reason: string) => void;
  readonly close: () => void;
}

export interface HostWatchRequest {
  /** SIGTERM and the like: Claude Code ends a hook so, and kills it 1.5 s later. */
  readonly stopped: AbortSignal;
  /** Claude Code's pid as it tells its hooks (CLAUDE_PID); undefined where it does not. */
  readonly claudePid: string | undefined;
  /** After this long the answer must be given, since the host's own clock would let the tool run (contract 3.5). */
  readonly patienceMs: number;
}

/**
 * A killed Claude Code leaves its hooks running: stdin is at its end from the start and no signal comes (measured). So its process is
 * looked for, by pid and start time, and the own parent too, which is Claude Code or the shell between the two.
 */
export function watchHost({ stopped, claudePid, patienceMs }: HostWatchRequest): HostWatch {
  const controller = new AbortController();
  const stop = (reason: string): void => controller.abort(reason);
  const onStopped = (): void => stop(`${String(stopped.reason)} came`);
  if (stopped.aborted) onStopped();
  else stopped.addEventListener("abort", onStopped, { once: true });
  const parent = process.ppid;
  const claude = claudeProcess(claudePid);
  const look = (): void => {
    if (process.ppid !== parent || (claude !== null && stillRuns(claude) === false)) stop("Claude Code is gone");
  };
  look();
  const closers = [every(lookMs, look), every(patienceMs, () => stop(patienceOver))];
  return {
    signal: controller.signal,
    stop,
    close: () => {
      stopped.removeEventListener("abort", onStopped);
      for (const close of closers) close();
    },
  };
}

/** The reason of an abort that leaves a host which still listens. */
export const patienceOver = "Claude Code's own time limit for this hook is near";

const lookMs = 100;

function claudeProcess(claudePid: string | undefined): Incarnation | null {
  const pid = Number(claudePid);
  return Number.isSafeInteger(pid) && pid > 1 ? incarnationOf(pid) : null;
}
