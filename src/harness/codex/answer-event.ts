import { readToEnd } from "../../base/descriptors.ts";
import { newRefusalId } from "../../base/ids.ts";
import { causeOf } from "../../base/result.ts";
import { infrastructure } from "../../base/verdict.ts";
import { type Core, openCore } from "../../core/core.ts";
import { logDispatch } from "../../core/dispatch-log.ts";
import { ownerOf } from "../../core/repeat/call.ts";
import type { HookEvent } from "../../words/event.ts";
import type { Answer, RefuseAnswer } from "../../words/wire.ts";
import type { OneShot } from "../one-shot.ts";
import { type HostWatch, patienceOver, watchHost } from "../watch-host.ts";
import { hostLimitSeconds } from "./entries.ts";
import { answerInHostsTongue, type Decision, decisionOf } from "./host-answer.ts";
import { type HostEvent, readHostEvent } from "./host-event.ts";
import { typedInputRefusal } from "./typed-input.ts";

/**
 * One event of Codex: read, decide, answer. Refusal is armed first: every way out of here that is not a decision (an exception wherever it is
 * thrown, stdin that does not fit, a signal, a core that does not answer) is written as that event's refusal. A death without an answer is
 * refused by the registered command line (entries.ts).
 */
export async function answerCodex(context: OneShot): Promise<number> {
  const bug = Promise.withResolvers<Decision>();
  const onBug = (thrown: unknown): void => bug.resolve(faultOf(`a bug in Tama: ${stackOf(thrown)}`));
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) process.on(kind, onBug);
  let event: HostEvent = { kind: "unfit", host: null, stopHookActive: false, cause: "nothing was read" };
  try {
    event = await readWhole(readToEnd(0).toString(), context);
    const watch = watchHost({
      stopped: context.stopped,
      host: "Codex",
      hostPid: context.environment["TAMA_HARNESS_PID"],
      patienceMs: (hostLimitSeconds - answerAheadSeconds) * 1000,
    });
    const decision = await Promise.race([decide(context, event, watch), bug.promise]);
    watch.stop("the event is answered");
    watch.close();
    return answer(context, event, decision);
  } catch (thrown) {
    return answer(context, event, faultOf(`a bug in Tama: ${stackOf(thrown)}`));
  }
}

/** An ending that is not written yet is looked for a few times more; without it a failure would pass for a success. */
async function readWhole(stdin: string, { clock }: OneShot): Promise<HostEvent> {
  for (let looks = 1; ; looks++) {
    const event = readHostEvent(stdin);
    if (event.kind !== "decide" || event.told || looks === looksMax) return event;
    await clock.sleep(20);
  }
}

const looksMax = 15;

/** Time enough to end every hook and to be read. */
const answerAheadSeconds = 30;

async function decide(context: OneShot, event: HostEvent, watch: HostWatch): Promise<Decision> {
  switch (event.kind) {
    case "let-go":
      return { kind: "pass", context: "", notes: "" };
    case "unfit":
      return unfitDecision(event);
    case "decide": {
      const { home, environment, program, clock } = context;
      const core = openCore({ home, harness: "codex", environment, program, clock });
      try {
        return await dispatchAll(core, event, watch);
      } finally {
        await core.close();
      }
    }
  }
}

/** An ending that was refused once for a fault of ours is let go the next time: nothing the model does could mend it (contract 3.6). */
function unfitDecision(event: HostEvent & { kind: "unfit" }): Decision {
  const fault = faultOf(event.cause);
  return event.stopHookActive && fault.kind === "refuse" ? { kind: "pass", context: "", notes: fault.reason } : fault;
}

async function dispatchAll(core: Core, host: HostEvent & { kind: "decide" }, watch: HostWatch): Promise<Decision> {
  const waiting = new Map<string, string>();
  let hooks: readonly string[] = [];
  watch.signal.addEventListener("abort", () => {
    hooks = core.running().flatMap((running) => running.hooks);
  });
  const answers: Answer[] = [];
  for (const event of host.events) {
    const id = `${event.event}-${process.pid}-${core.setting.clock.iso()}`;
    const onProgress = (hook: string, line: string): void => void waiting.set(hook, line);
    const typed = event.event === "tool_call" ? refusedTyping(core, host, event, id) : null;
    answers.push(typed ?? (await core.dispatch({ id, event, signal: watch.signal, onProgress })));
  }
  const own = answers.slice(-1);
  const endingAgain = host.events.some((one) => one.event === "stop" && one.payload.stopHookActive === true);
  if (watch.signal.reason !== patienceOver("Codex") || own.every((one) => one.ok)) return decisionOf(own, endingAgain);
  const named = hooks.map((hook) => (waiting.has(hook) ? `${hook} (it last said: ${waiting.get(hook)})` : hook));
  return faultOf(
    `${patienceOver("Codex")}; still waited for: ${named.join(", ") || "the decision"}. Nothing was judged`,
  );
}

/** Refused before any hook is asked, and logged like any refusal so that `tama why` explains it. */
function refusedTyping(
  core: Core,
  { shell }: HostEvent & { kind: "decide" },
  event: HookEvent,
  id: string,
): RefuseAnswer | null {
  const refusal = shell === null ? null : typedInputRefusal(shell.line, shell.terminal);
  const owner = ownerOf(event.payload);
  if (refusal === null || owner === null) return null;
  const { what, why, instead } = refusal;
  const reason = `BLOCKED: ${typedInputId}: ${what} ${why} ${instead}`;
  const answer: RefuseAnswer = {
    ok: true,
    verdict: "refuse",
    blockedHookId: typedInputId,
    refusal: newRefusalId(),
    reason,
    hooks: [],
  };
  const { home, clock } = core.setting;
  logDispatch(home, { owner, dispatch: id, event, answer, at: clock.iso(), ms: 0, refusal });
  return answer;
}

const typedInputId = "codex-typed-input";

function answer(context: OneShot, event: HostEvent, decision: Decision): number {
  const said = answerInHostsTongue(event.host, decision);
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
