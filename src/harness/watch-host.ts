import { every } from "../base/clock.ts";
import { incarnationOf, stillRuns } from "../process/identity.ts";

/** Says when to stop waiting for hooks, and why; `close` lets go of all it watches. */
export interface HostWatch {
  readonly signal: AbortSignal;
  /** Aborts for a reason of the caller's. */
  readonly stop: (reason: string) => void;
  readonly close: () => void;
}

export interface HostWatchRequest {
  readonly stopped: AbortSignal;
  /** The host's name as a person knows it. */
  readonly host: string;
  /** The host's pid as the registered command hands it on; undefined where another command line runs. */
  readonly hostPid: string | undefined;
  /** After this long the answer must be given, since the host's own clock would let the tool run (contract 3.5). */
  readonly patienceMs: number;
}

/**
 * A killed host leaves its hooks running, with no signal and stdin at its end from the start (measured with each that starts one process an
 * event). So its process is looked for, by pid and start time, and the own parent too: the host, or the shell of the registered command.
 */
export function watchHost({ stopped, host, hostPid, patienceMs }: HostWatchRequest): HostWatch {
  const controller = new AbortController();
  const stop = (reason: string): void => controller.abort(reason);
  const onStopped = (): void => stop(`${String(stopped.reason)} came`);
  if (stopped.aborted) onStopped();
  else stopped.addEventListener("abort", onStopped, { once: true });
  const parent = process.ppid;
  const pid = Number(hostPid);
  const incarnation = Number.isSafeInteger(pid) && pid > 1 ? incarnationOf(pid) : null;
  const look = (): void => {
    if (process.ppid !== parent || (incarnation !== null && stillRuns(incarnation) === false)) stop(`${host} is gone`);
  };
  look();
  const closers = [every(lookMs, look), every(patienceMs, () => stop(patienceOver(host)))];
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
export function patienceOver(host: string): string {
  return `${host}'s own time limit for this hook is near`;
}

const lookMs = 100;
