import { newRefusalId } from "../base/ids.ts";
import { release } from "../base/release.ts";
import type { HookEvent } from "../words/event.ts";
import type { RefuseAnswer } from "../words/wire.ts";
import type { CoreSetting } from "./core.ts";

/**
 * The canary: a call of a reserved tool that no agent has, which every core refuses, whatever is declared. `tama doctor` sends one through
 * the very command line an agent starts and looks for the answer; without it there is no gate. The answer names release, TAMA_HOME and
 * harness of the core that gave it. It is given before anything is read, judged or kept, so it leaves no record, and an agent that makes
 * such a call gets a refusal like doctor and nothing else.
 */
export const canaryTool = "tama_canary";

/** The words a canary is answered with. `mark` comes back as it was sent, so that no older answer passes for this one. */
function canaryAnswer({ home, harness }: Pick<CoreSetting, "home" | "harness">, mark: string): string {
  return `TAMA_CANARY ${mark}: refused by tama ${release} for ${harness}, TAMA_HOME ${home.root}`;
}

/** The refusal of a canary; null for every other event. */
export function refusedCanary(setting: CoreSetting, event: HookEvent): RefuseAnswer | null {
  if (event.event !== "tool_call" || event.payload.tool !== canaryTool) return null;
  const { input } = event.payload;
  const mark: unknown = typeof input === "object" && input !== null ? Reflect.get(input, "mark") : null;
  const reason = canaryAnswer(setting, typeof mark === "string" ? mark.replace(/[^0-9a-f]/g, "").slice(0, 32) : "");
  return { ok: true, verdict: "refuse", blockedHookId: "canary", refusal: newRefusalId(), reason, hooks: [] };
}
