import { homedir } from "node:os";
import { sayOnStderr } from "../../base/descriptors.ts";
import { newRefusalId } from "../../base/ids.ts";
import type { HookEvent } from "../../words/event.ts";
import { answerArmed } from "../armed-answer.ts";
import { type Decision, faultOf, unfitDecision } from "../decision.ts";
import type { OneShot } from "../one-shot.ts";
import { hostLimitSeconds } from "./entries.ts";
import { answerInHostsTongue } from "./host-answer.ts";
import { type Fact, type HostEvent, readHostEvent } from "./host-event.ts";
import { recordFact, type Told } from "./record-fact.ts";

/**
 * One event of Claude Code. Until stdin is read, a signal simply ends the process, which `onFailure: "block"` makes a refusal; listening
 * earlier would make a process that blocks on stdin deaf to SIGTERM. From then on a signal ends the hooks and is answered.
 */
export async function answerClaudeCode(context: OneShot): Promise<number> {
  return await answerEvent(context, decide);
}

/** The same, started by the plugin: where the settings start Tama too, they judge. */
export async function answerClaudeCodePlugin(context: OneShot): Promise<number> {
  return await answerEvent(context, async (_context, event) => {
    const { settingsAsk } = await import("./plugin.ts");
    const { environment } = context;
    return settingsAsk(event.host, environment, environment["HOME"] ?? homedir())
      ? nothing
      : await decide(context, event);
  });
}

async function answerEvent(context: OneShot, decided: typeof decide): Promise<number> {
  return await answerArmed<HostEvent>(context, {
    read: readHostEvent,
    decide: (event, bug) => Promise.race([decided(context, event), bug]),
    say: answerInHostsTongue,
  });
}

/** Time enough to end every hook and to be read. */
const answerAheadSeconds = 30;

const nothing: Decision = { kind: "pass", context: "", notes: "" };

async function decide(context: OneShot, event: HostEvent): Promise<Decision> {
  switch (event.kind) {
    case "let-go":
      return nothing;
    case "unfit":
      return unfitDecision(event);
    case "fact":
      keep(context, event.fact);
      return nothing;
    case "settings":
      return await decideSettings(context, event);
    case "permission": {
      const { callToJudge } = await import("./permission-request.ts");
      const call = callToJudge(context.home, event.event);
      if (!call.ok) return faultOf(call.cause);
      return call.value === null ? nothing : await decideByCore(context, [call.value]);
    }
    case "decide":
      if (event.host === "SessionEnd") await keepMissedFailure(context, event.events);
      return await decideByCore(context, event.events);
  }
}

function keep({ home, clock }: OneShot, fact: Fact, told: Told = {}): void {
  const kept = recordFact(home, clock, fact, told);
  if (!kept.ok) sayOnStderr(`tama: ${kept.cause}`);
}

async function keepMissedFailure(context: OneShot, events: readonly HookEvent[]): Promise<void> {
  const { missedFailure } = await import("./missed-failure.ts");
  for (const event of events) {
    const missed = missedFailure(context.home, event);
    if (!missed.ok) sayOnStderr(`tama: ${missed.cause}`);
    else if (missed.value !== null) keep(context, missed.value);
  }
}

/** The core is loaded only where it is asked: what is merely kept is kept within the milliseconds Claude Code gives it. */
async function decideByCore(context: OneShot, events: readonly HookEvent[]): Promise<Decision> {
  const [{ openCore }, { decideEvents }, { watchHost }] = await Promise.all([
    import("../../core/core.ts"),
    import("./decide-events.ts"),
    import("../watch-host.ts"),
  ]);
  const { home, environment, program, clock } = context;
  const watch = watchHost({
    stopped: context.stopped,
    host: "Claude Code",
    hostPid: environment["CLAUDE_PID"],
    patienceMs: (hostLimitSeconds - answerAheadSeconds) * 1000,
  });
  const core = openCore({ home, harness: "claude-code", environment, program, clock });
  try {
    return await decideEvents(core, events, watch);
  } finally {
    await core.close();
    watch.stop("the event is answered");
    watch.close();
  }
}

async function decideSettings(context: OneShot, { change }: HostEvent & { kind: "settings" }): Promise<Decision> {
  const { judgeSettings } = await import("./settings-change.ts");
  const { environment, home, program } = context;
  const judged = judgeSettings(change, {
    environment,
    userHome: environment["HOME"] ?? homedir(),
    tamaHome: home.root,
    program: program[0] ?? "",
  });
  if (!judged.ok) return faultOf(judged.cause);
  if (judged.value === null) return nothing;
  const { what, why, instead } = judged.value;
  const refusal = newRefusalId();
  const fact = { session: change.session, agentId: null, event: "config_change", says: what };
  keep(context, fact, { refusal, blockedHookId: "settings", what, why, instead });
  return { kind: "refuse", reason: `${what} ${why}\n${instead}` };
}
