import { infrastructure } from "../../base/verdict.ts";
import type { Core } from "../../core/core.ts";
import type { HookEvent } from "../../words/event.ts";
import type { Answer } from "../../words/wire.ts";
import { type Decision, decisionOf } from "./host-answer.ts";
import { type HostWatch, patienceOver } from "./host-watch.ts";

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
  const endingAgain = events.some((one) => one.event === "stop" && one.payload.stopHookActive === true);
  if (watch.signal.reason !== patienceOver || answers.every(({ ok }) => ok)) return decisionOf(answers, endingAgain);
  const named = waitedFor.map((hook) =>
    lastWords.has(hook) ? `${hook} (it last said: ${lastWords.get(hook)})` : hook,
  );
  const cause = `${patienceOver}; still waited for: ${named.join(", ") || "the decision"}. Nothing was judged`;
  return { kind: "refuse", reason: infrastructure("tama", cause) };
}
