import { readToEnd } from "../base/descriptors.ts";
import { causeOf } from "../base/result.ts";
import { infrastructure } from "../base/verdict.ts";
import { type Core, openCore } from "../core/core.ts";
import type { HookEvent } from "../words/event.ts";
import type { Answer } from "../words/wire.ts";
import { type Decision, decisionOf } from "./claude-code/host-answer.ts";
import type { Unfit } from "./host-input.ts";
import type { OneShot } from "./one-shot.ts";
import { type HostWatch, patienceOver, watchHost } from "./watch-host.ts";

/** What an agent that starts one process an event adds to the answering, which is the same for all: its tongue. */
export interface OneShotHost {
  /** The word of `tama run-hook <harness>`. */
  readonly harness: string;
  /** Its name as a person knows it. */
  readonly name: string;
  /** The longest it waits for a hook, as registered. Milliseconds. */
  readonly limitMs: number;
  /** What it wrote on stdin. Never throws. */
  readonly read: (stdin: string) => HeardEvent;
  /** A decision in its own words; `event` is its own name of the event, null where not even that can be read. */
  readonly say: (event: string | null, decision: Decision) => SaidAnswer;
}

/** What one of the agent's events is to Tama. */
export type HeardEvent =
  /** In the order in which they count; the answer is made of the last one's, the others are what no hook was told before it. */
  | { readonly kind: "decide"; readonly host: string; readonly events: readonly HookEvent[] }
  /** It carries no decision of ours, so it goes on untouched. */
  | { readonly kind: "let-go"; readonly host: string }
  | Unfit;

export interface SaidAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: 0 | 2;
}

/**
 * One event: read, decide, answer; returns the exit code. Refusal is armed first: every way out of here that is not a decision (an exception
 * wherever it is thrown, stdin that does not fit, a signal, a core that does not answer) is said as that event's refusal. A death without an
 * answer is the registered command line's to refuse. The agent's pid is expected in TAMA_HARNESS_PID.
 */
export async function answerOneEvent(context: OneShot, host: OneShotHost): Promise<number> {
  const bug = Promise.withResolvers<Decision>();
  const onBug = (thrown: unknown): void => bug.resolve(faultOf(`a bug in Tama: ${stackOf(thrown)}`));
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) process.on(kind, onBug);
  let heard: HeardEvent = { kind: "unfit", host: null, stopHookActive: false, cause: "nothing was read" };
  try {
    heard = host.read(readToEnd(0).toString());
    const watch = watchHost({
      stopped: context.stopped,
      host: host.name,
      hostPid: context.environment["TAMA_HARNESS_PID"],
      patienceMs: host.limitMs - answerAheadMs,
    });
    const decision = await Promise.race([decide(context, host, heard, watch), bug.promise]);
    watch.stop("the event is answered");
    watch.close();
    return say(context, host.say(heard.host, decision));
  } catch (thrown) {
    return say(context, host.say(heard.host, faultOf(`a bug in Tama: ${stackOf(thrown)}`)));
  }
}

/** Time enough to end every hook and to be read. */
const answerAheadMs = 30_000;

async function decide(context: OneShot, host: OneShotHost, heard: HeardEvent, watch: HostWatch): Promise<Decision> {
  switch (heard.kind) {
    case "let-go":
      return { kind: "pass", context: "", notes: "" };
    case "unfit": {
      // An ending that was refused once for a fault of ours is let go the next time: nothing the model does could mend it (contract 3.6).
      const reason = infrastructure("tama", heard.cause);
      return heard.stopHookActive ? { kind: "pass", context: "", notes: reason } : { kind: "refuse", reason };
    }
    case "decide": {
      const { home, environment, program, clock } = context;
      const core = openCore({ home, harness: host.harness, environment, program, clock });
      try {
        return await dispatchAll(core, host, heard.events, watch);
      } finally {
        await core.close();
      }
    }
  }
}

/** Where the agent's own clock is nearly over, the answer is a refusal that says which hooks were still waited for, and their last words. */
async function dispatchAll(
  core: Core,
  { name }: OneShotHost,
  events: readonly HookEvent[],
  watch: HostWatch,
): Promise<Decision> {
  const lastWords = new Map<string, string>();
  let waitedFor: readonly string[] = [];
  // Asked at the abort itself: afterwards nothing runs any more.
  watch.signal.addEventListener("abort", () => {
    waitedFor = core.running().flatMap(({ hooks }) => hooks);
  });
  const answers: Answer[] = [];
  for (const event of events) {
    const id = `${event.event}-${process.pid}-${core.setting.clock.iso()}`;
    const onProgress = (hook: string, line: string): void => void lastWords.set(hook, line);
    answers.push(await core.dispatch({ id, event, signal: watch.signal, onProgress }));
  }
  const endingAgain = events.some((one) => one.event === "stop" && one.payload.stopHookActive === true);
  const own = answers.slice(-1);
  if (watch.signal.reason !== patienceOver(name) || own.every(({ ok }) => ok)) return decisionOf(own, endingAgain);
  const named = waitedFor.map((hook) =>
    lastWords.has(hook) ? `${hook} (it last said: ${lastWords.get(hook)})` : hook,
  );
  return faultOf(`${patienceOver(name)}; still waited for: ${named.join(", ") || "the decision"}. Nothing was judged`);
}

function say(context: OneShot, said: SaidAnswer): number {
  if (said.stderr !== "") context.err(said.stderr);
  try {
    if (said.stdout !== "") context.out(said.stdout);
    return said.code;
  } catch (thrown) {
    // Nobody reads any more; what stays is the exit code.
    context.err(`${infrastructure("tama", `the answer could not be written: ${causeOf(thrown)}`)}\n`);
    return 2;
  }
}

function faultOf(cause: string): Decision {
  return { kind: "refuse", reason: infrastructure("tama", cause) };
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : causeOf(thrown);
}
