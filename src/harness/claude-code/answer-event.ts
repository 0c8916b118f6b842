import { readToEnd } from "../../base/descriptors.ts";
import { causeOf } from "../../base/result.ts";
import { infrastructure } from "../../base/verdict.ts";
import { openCore } from "../../core/core.ts";
import type { OneShot } from "../one-shot.ts";
import { decideEvents } from "./decide-events.ts";
import { hostLimitSeconds } from "./entries.ts";
import { answerInHostsTongue, type Decision } from "./host-answer.ts";
import { type HostEvent, readHostEvent } from "./host-event.ts";
import { type HostWatch, watchHost } from "./host-watch.ts";

/**
 * One event of Claude Code: read, decide, answer. Refusal is armed first: every way out of here that is not a decision (an exception
 * wherever it is thrown, stdin that does not fit, a signal, a core that does not answer) is written as that event's refusal.
 *
 * Until stdin is read, a signal simply ends the process, which `onFailure: "block"` makes a refusal; listening earlier would make a
 * process that blocks on stdin deaf to SIGTERM. From then on a signal ends the hooks and is answered.
 */
export async function answerClaudeCode(context: OneShot): Promise<number> {
  const bug = Promise.withResolvers<Decision>();
  const onBug = (thrown: unknown): void => bug.resolve(faultOf(`a bug in Tama: ${stackOf(thrown)}`));
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) process.on(kind, onBug);
  let event: HostEvent = { kind: "unfit", host: null, stopHookActive: false, cause: "nothing was read" };
  try {
    event = readHostEvent(readToEnd(0).toString());
    const watch = watchHost({
      stopped: context.stopped,
      claudePid: context.environment["CLAUDE_PID"],
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
      const core = openCore({ home, harness: "claude-code", environment, program, clock });
      try {
        return await decideEvents(core, event.events, watch);
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
