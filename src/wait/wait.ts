import { type Clock, every } from "../base/clock.ts";
import type { Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { type Adoption, adoptOrphans } from "../process/adopted.ts";
import { findBaseline, isSame } from "./baseline.ts";
import { watchOwner } from "./owner-watch.ts";
import { type Answer, runOnce } from "./run-once.ts";
import { keepSeen, type Waiter, waitName } from "./seen-answers.ts";

/**
 * `tama wait`: the lawful way to wait for an answer to change (design: gates, "The same look"). It runs the command until its answer is
 * another one, and gives that one back. Times only space looks and end the wait; which answer is new is told by the answers alone.
 */
export interface WaitRequest {
  readonly home: Home;
  readonly waiter: Waiter | null;
  /** The call whose answer is the baseline. */
  readonly after: string | null;
  /** As given: one word that holds white space is a shell line, else a program and its words. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The wait ends after this long; null = it does not. */
  readonly forMs: number | null;
  /** A fixed pause between two runs; null = a growing one. */
  readonly everyMs: number | null;
  /** A signal came. */
  readonly stopped: AbortSignal;
  /** What a person or model should know beside the answer. */
  readonly note: (line: string) => void;
  /** After each run whose answer was no new one. */
  readonly onLook: (look: Look) => void;
}

export interface Look {
  readonly count: number;
  readonly elapsedMs: number;
  readonly answer: Answer;
}

export type WaitEnd =
  | { readonly kind: "changed"; readonly answer: Answer }
  | { readonly kind: "time is over" }
  | { readonly kind: "owner is gone" }
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "failed"; readonly cause: string };

export async function wait(request: WaitRequest): Promise<WaitEnd> {
  const adoption = adoptOrphans({ spared: [], sparesOwnSession: true });
  const end = new AbortController();
  const onStopped = (): void => end.abort({ kind: "signal", signal: String(request.stopped.reason) });
  request.stopped.addEventListener("abort", onStopped);
  if (request.stopped.aborted) onStopped();
  const closers = [watchOwner(() => end.abort({ kind: "owner is gone" }))];
  if (request.forMs !== null) closers.push(every(request.forMs, () => end.abort({ kind: "time is over" })));
  try {
    return await untilChanged(request, adoption, end.signal);
  } finally {
    request.stopped.removeEventListener("abort", onStopped);
    for (const close of closers) close();
  }
}

async function untilChanged(request: WaitRequest, adoption: Adoption, stop: AbortSignal): Promise<WaitEnd> {
  const { home, waiter, after, command, cwd, clock } = request;
  const name = waitName(command, cwd, after);
  const found = findBaseline({ home, waiter, after, name });
  for (const note of found.notes) request.note(note);
  const began = clock.ticks();
  let { baseline } = found;
  let seen: Answer | null = null;
  for (let count = 1; !stop.aborted; count++) {
    const started = clock.ticks();
    const ran = await runOnce({ command: asProgram(command), cwd, environment: plain(request), adoption }, stop);
    if (!ran.ok) return { kind: "failed", cause: ran.cause };
    const answer = ran.value;
    if (answer === null) break;
    seen = answer;
    if (baseline !== null && !isSame(baseline, answer)) {
      await keep(request, name, answer);
      return { kind: "changed", answer };
    }
    if (baseline === null && notRun.has(answer.code))
      request.note(`the first answer is exit code ${answer.code}: ${answer.stderr.toString().trim()}`);
    // From here on our own runs are compared, stream by stream, which is sharper than what a harness told of them.
    baseline = { kind: "seen", digest: answer.digest };
    request.onLook({ count, elapsedMs: clock.ticks() - began, answer });
    await pause(request, count, clock.ticks() - started, stop);
  }
  const why = stop.reason as Exclude<WaitEnd, { readonly kind: "changed" }>;
  if (why.kind === "time is over" && seen !== null) await keep(request, name, seen);
  return why;
}

/** What a shell says of a program that is not there or may not be run: most likely a slip, so it is not waited out in silence. */
const notRun: ReadonlySet<number> = new Set([126, 127]);

/** Kept afterwards, so what cannot be written is only said. */
async function keep(request: WaitRequest, name: string, answer: Answer): Promise<void> {
  if (request.waiter === null) return;
  const seen = { digest: answer.digest, at: request.clock.iso() };
  const kept: Result<void> = await keepSeen(request.home, request.waiter, name, seen);
  if (!kept.ok) request.note(kept.cause);
}

function asProgram(command: readonly string[]): readonly string[] {
  const [only = ""] = command;
  return command.length === 1 && /\s/.test(only) ? ["/bin/sh", "-c", only] : command;
}

function plain({ environment }: WaitRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** From one second to fifteen, and never shorter than the run itself took, so that a heavy command gets half of the machine at most. */
async function pause({ clock, everyMs }: WaitRequest, count: number, tookMs: number, stop: AbortSignal): Promise<void> {
  const grown = Math.min(pauseMaxMs, pauseMinMs * pauseGrowth ** (count - 1));
  const until = clock.ticks() + (everyMs ?? Math.max(grown, tookMs));
  // In slices, so that no timer keeps an ended wait from leaving.
  for (let left = until - clock.ticks(); left > 0 && !stop.aborted; left = until - clock.ticks())
    await clock.sleep(Math.min(left, sliceMs));
}

const pauseMinMs = 1000;
const pauseMaxMs = 15_000;
const pauseGrowth = 1.3;
const sliceMs = 50;
