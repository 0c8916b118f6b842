import { type Core, openCore } from "../core/core.ts";
import type { HookEvent } from "../words/event.ts";
import type { Answer } from "../words/wire.ts";
import { answerArmed } from "./armed-answer.ts";
import { type Decision, decisionOf, faultOf, type SaidAnswer, unfitDecision } from "./decision.ts";
import { dispatchAll } from "./dispatch-all.ts";
import type { Unfit } from "./host-input.ts";
import type { OneShot } from "./one-shot.ts";
import { type HostWatch, watchHost } from "./watch-host.ts";

/** What an agent that starts one process an event adds to the answering, which is the same for all: its tongue. */
export interface OneShotHost<Heard extends HeardEvent = HeardEvent> {
  /** The word of `tama run-hook <harness>`. */
  readonly harness: string;
  /** Its name as a person knows it. */
  readonly name: string;
  /** The longest it waits for a hook, as registered. Milliseconds. */
  readonly limitMs: number;
  /** What it wrote on stdin. */
  readonly read: (stdin: string) => Heard | Promise<Heard>;
  /** A decision in its own words; `event` is its own name of the event, null where not even that can be read. */
  readonly say: (event: string | null, decision: Decision) => SaidAnswer;
  /** Answers one of the events in the core's place; null = the core is asked. Default: it always is. */
  readonly before?: (core: Core, heard: Decided<Heard>, event: HookEvent, id: string) => Answer | null;
}

/** What one of the agent's events is to Tama. */
export type HeardEvent =
  /** In the order in which they count; the answer is made of the last one's, the others are what no hook was told before it. */
  | { readonly kind: "decide"; readonly host: string; readonly events: readonly HookEvent[] }
  /** It carries no decision of ours, so it goes on untouched. */
  | { readonly kind: "let-go"; readonly host: string }
  | Unfit;

type Decided<Heard extends HeardEvent> = Extract<Heard, { kind: "decide" }>;

/** One event, read, decided and answered; returns the exit code. The agent's pid is expected in TAMA_HARNESS_PID. */
export async function answerOneEvent<Heard extends HeardEvent>(
  context: OneShot,
  host: OneShotHost<Heard>,
): Promise<number> {
  return await answerArmed<Heard>(context, {
    read: host.read,
    say: host.say,
    decide: async (heard, bug) => {
      const watch = watchHost({
        stopped: context.stopped,
        host: host.name,
        hostPid: context.environment["TAMA_HARNESS_PID"],
        patienceMs: host.limitMs - answerAheadMs,
      });
      const decision = await Promise.race([decide(context, host, heard, watch), bug]);
      watch.stop("the event is answered");
      watch.close();
      return decision;
    },
  });
}

/** Time enough to end every hook and to be read. */
const answerAheadMs = 30_000;

async function decide<Heard extends HeardEvent>(
  context: OneShot,
  host: OneShotHost<Heard>,
  heard: Heard,
  watch: HostWatch,
): Promise<Decision> {
  if (heard.kind === "unfit") return unfitDecision(heard);
  if (!isDecided(heard)) return { kind: "pass", context: "", notes: "" };
  const { home, environment, program, clock } = context;
  const core = openCore({ home, harness: host.harness, environment, program, clock });
  try {
    return await decideByCore(core, host, heard, watch);
  } finally {
    await core.close();
  }
}

async function decideByCore<Heard extends HeardEvent>(
  core: Core,
  { name, before }: OneShotHost<Heard>,
  heard: Decided<Heard>,
  watch: HostWatch,
): Promise<Decision> {
  const inPlace = (event: HookEvent, id: string): Answer | null => before?.(core, heard, event, id) ?? null;
  const { answers, late } = await dispatchAll(core, name, heard.events, watch, inPlace);
  const own = answers.slice(-1);
  if (late !== null && own.some(({ ok }) => !ok)) return faultOf(late);
  return decisionOf(own);
}

function isDecided<Heard extends HeardEvent>(heard: Heard): heard is Decided<Heard> {
  return heard.kind === "decide";
}
