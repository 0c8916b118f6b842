import type { Core } from "../core/core.ts";
import { endLeftBehind } from "../supervision/left-behind.ts";
import type { HookEvent } from "../words/event.ts";
import type { Answer } from "../words/wire.ts";
import { type HostWatch, patienceOver } from "./watch-host.ts";

/** What the core said to the events that one of an agent's stands for. */
export interface Dispatched {
  readonly answers: readonly Answer[];
  /** Set where the agent's own clock was nearly over: which hooks were still waited for, and their last words. */
  readonly late: string | null;
}

/**
 * Hands the core the events one after another. `before` may answer an event in the core's place; null = the core is asked. Where a person
 * is at work anyway, what a killed process of Tama's left is ended too: Codex kills its hook's group at an interrupt, Tama with it
 * (measured), and what left that group has nobody.
 */
export async function dispatchAll(
  core: Pick<Core, "dispatch" | "running" | "setting">,
  agent: string,
  events: readonly HookEvent[],
  watch: Pick<HostWatch, "signal">,
  before: (event: HookEvent, id: string) => Answer | null = () => null,
): Promise<Dispatched> {
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
    answers.push(before(event, id) ?? (await core.dispatch({ id, event, signal: watch.signal, onProgress })));
  }
  if (events.some(({ event }) => atLeisure.has(event))) await endLeftBehind(core.setting.home);
  if (watch.signal.reason !== patienceOver(agent)) return { answers, late: null };
  const named = waitedFor.map((hook) =>
    lastWords.has(hook) ? `${hook} (it last said: ${lastWords.get(hook)})` : hook,
  );
  const late = `${patienceOver(agent)}; still waited for: ${named.join(", ") || "the decision"}. Nothing was judged`;
  return { answers, late };
}

const atLeisure: ReadonlySet<string> = new Set(["input", "session_end"]);

/** A turn's end that was refused before, among the events; undefined = none. */
export function endingAgain(events: readonly HookEvent[]): HookEvent | undefined {
  return events.find((one) => one.event === "stop" && one.payload.stopHookActive === true);
}
