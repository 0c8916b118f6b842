import { sayOnStderr } from "../../base/descriptors.ts";
import { infrastructure } from "../../base/verdict.ts";
import type { Core } from "../../core/core.ts";
import { readLog } from "../../core/log-reading.ts";
import { ownerOf } from "../../core/repeat/call.ts";
import type { HookEvent } from "../../words/event.ts";
import type { Answer } from "../../words/wire.ts";
import { type HostWatch, patienceOver } from "../watch-host.ts";
import { capWarning, endingCap, refusedInARow } from "./ending-cap.ts";
import { type Decision, decisionOf } from "./host-answer.ts";

/**
 * The core's decision on the events one of the host's stands for, one after another. Where the host's own clock is nearly over the answer
 * is a refusal that says which hooks were still waited for, and what they said last.
 */
export async function decideEvents(
  core: Pick<Core, "dispatch" | "running" | "setting">,
  events: readonly HookEvent[],
  watch: Pick<HostWatch, "signal">,
): Promise<Decision> {
  const answers: Answer[] = [];
  const lastWords = new Map<string, string>();
  let waitedFor: readonly string[] = [];
  // Asked at the abort itself: afterwards nothing runs any more.
  watch.signal.addEventListener("abort", () => {
    waitedFor = core.running().flatMap(({ hooks }) => hooks);
  });
  for (const event of events) {
    const id = `${event.event}-${process.pid}-${core.setting.clock.iso()}`;
    const onProgress = (hook: string, line: string): void => void lastWords.set(hook, line);
    answers.push(await core.dispatch({ id, event, signal: watch.signal, onProgress }));
  }
  const ending = events.find((one) => one.event === "stop" && one.payload.stopHookActive === true);
  if (watch.signal.reason !== patienceOver("Claude Code") || answers.every(({ ok }) => ok)) {
    const decision = decisionOf(answers, ending !== undefined);
    return ending === undefined ? decision : withCapNamed(core.setting, ending, decision);
  }
  const named = waitedFor.map((hook) =>
    lastWords.has(hook) ? `${hook} (it last said: ${lastWords.get(hook)})` : hook,
  );
  const cause = `${patienceOver("Claude Code")}; still waited for: ${named.join(", ") || "the decision"}. Nothing was judged`;
  return { kind: "refuse", reason: infrastructure("tama", cause) };
}

/** The host's limit for refused endings is named to the model and the person before it bites; the count is read from the session's log. */
function withCapNamed(setting: Core["setting"], ending: HookEvent, decision: Decision): Decision {
  const owner = ownerOf(ending.payload);
  if (decision.kind === "pass" || owner === null) return decision;
  const log = readLog(setting.home.sessionLog(owner.session, owner.agentId));
  if (!log.ok) sayOnStderr(`tama: ${log.cause}`);
  const warning = log.ok ? capWarning(refusedInARow(log.value), endingCap(setting.environment)) : "";
  return warning === "" ? decision : { ...decision, reason: `${decision.reason}\n\n${warning}`, notes: warning };
}
