import { type DrivenCore, type Frame, startCore } from "../core-driver.ts";
import { declareHook, makeWorld, type World } from "../tama-command.ts";

/** A core with one hook, whose body a test writes anew before each event; without a session nothing is kept between them. */
export interface HookedCore {
  readonly world: World;
  readonly core: DrivenCore;
  /** Lets the hook be `body` (sh) and dispatches one event to it. */
  readonly tries: (body: string, event?: string, payload?: object) => Promise<Frame>;
  readonly close: () => Promise<void>;
}

const everyEvent: readonly object[] = [
  "session_start",
  "input",
  "tool_call",
  "tool_result",
  "stop",
  "compact",
  "session_end",
].map((event) => ({ event }));

const needed: Readonly<Record<string, object>> = {
  input: { text: "go on" },
  tool_call: { tool: "bash", input: { command: "ls" } },
  tool_result: { tool: "bash", input: { command: "ls" }, isError: false, text: "a" },
  stop: { answer: "done" },
};

export async function startHooked(
  contract: "tama" | "claude-code",
  harness = "omp",
  environment: Readonly<Record<string, string>> = {},
): Promise<HookedCore> {
  const world = makeWorld(environment);
  await declareHook(world, {
    id: "guard",
    command: [world.script("guard", `. ${world.root}/body`)],
    contract,
    on: everyEvent,
  });
  const core = await startCore(world, { harness });
  return {
    world,
    core,
    tries: (body, event = "tool_call", payload = {}) => {
      world.write("body", body);
      return core.dispatch(event, { ...needed[event], ...payload });
    },
    close: async () => {
      await core.close();
      world.remove();
    },
  };
}

/** What an answer must hold for each way to end. */
export const pass = { ok: true, verdict: "pass" };
export const refuses = (reason: string): object => ({ ok: true, verdict: "refuse", blockedHookId: "guard", reason });
