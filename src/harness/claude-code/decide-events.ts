import { sayOnStderr } from "../../base/descriptors.ts";
import type { Core } from "../../core/core.ts";
import { readLog } from "../../core/log-reading.ts";
import { ownerOf } from "../../core/repeat/call.ts";
import type { HookEvent } from "../../words/event.ts";
import { type Decision, decisionOf, faultOf } from "../decision.ts";
import { dispatchAll, endingAgain } from "../dispatch-all.ts";
import type { HostWatch } from "../watch-host.ts";
import { capWarning, endingCap, refusedInARow } from "./ending-cap.ts";

/**
 * The core's decision on the events one of the host's stands for, one after another. Where the host's own clock is nearly over the answer
 * is a refusal that says which hooks were still waited for, and what they said last.
 */
export async function decideEvents(
  core: Pick<Core, "dispatch" | "running" | "setting">,
  events: readonly HookEvent[],
  watch: Pick<HostWatch, "signal">,
): Promise<Decision> {
  const { answers, late } = await dispatchAll(core, "Claude Code", events, watch);
  if (late !== null && answers.some(({ ok }) => !ok)) return faultOf(late);
  const ending = endingAgain(events);
  const decision = decisionOf(answers);
  return ending === undefined ? decision : withCapNamed(core.setting, ending, decision);
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
