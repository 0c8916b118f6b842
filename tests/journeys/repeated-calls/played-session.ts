import { type DrivenCore, type Frame, startCore } from "../core-driver.ts";
import { makeWorld, tama, type World } from "../tama-command.ts";

/** A world whose Oko register a test writes by hand, and the setting of the repeat rule it is played under. */
export interface RepeatWorld extends World {
  readonly register: string;
  readonly work: string;
}

export type RepeatSetting = "full" | "spec";

export function makeRepeatWorld(setting: RepeatSetting): RepeatWorld {
  const probe = makeWorld();
  const register = `${probe.root}/defects.json`;
  if (setting === "spec") probe.write("tama-home/settings.json", JSON.stringify({ repeat: "spec" }));
  probe.write("work/.keep", "");
  const environment = { ...probe.environment, OKO_DEFECT_REGISTER: register };
  return { ...probe, environment, register, work: `${probe.root}/work` };
}

/** What a call is, beside its tool and arguments. */
export interface CallDetails {
  readonly agentId?: string;
  readonly cwd?: string;
  readonly call?: string;
  readonly message?: string | number;
  readonly purpose?: string;
  readonly kind?: string;
  readonly transcript?: string;
}

export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly details?: unknown;
}

/** One session as an adapter plays it: calls, their results, a person's messages. */
export interface PlayedSession {
  readonly core: DrivenCore;
  readonly asks: (tool: string, input: unknown, details?: CallDetails) => Promise<Frame>;
  readonly answers: (tool: string, input: unknown, answer: Answer, details?: CallDetails) => Promise<Frame>;
  /** A whole call: asked, and answered when admitted; throws when it is not admitted. */
  readonly runs: (tool: string, input: unknown, answer: Answer, details?: CallDetails) => Promise<void>;
  readonly person: (text: string, details?: CallDetails) => Promise<Frame>;
}

let numbered = 0;

export function playSession(core: DrivenCore, world: RepeatWorld, session: string): PlayedSession {
  const payload = (tool: string, input: unknown, details: CallDetails): object => ({
    session,
    cwd: world.work,
    tool,
    input,
    ...details,
  });
  const asks: PlayedSession["asks"] = (tool, input, details = {}) =>
    core.dispatch("tool_call", payload(tool, input, details));
  const answers: PlayedSession["answers"] = (tool, input, answer, details = {}) =>
    core.dispatch("tool_result", { ...payload(tool, input, details), ...answer });
  return {
    core,
    asks,
    answers,
    runs: async (tool, input, answer, details = {}) => {
      const named = { call: `played-${++numbered}`, ...details };
      const asked = await asks(tool, input, named);
      if (asked["verdict"] !== "pass") throw new Error(`not admitted: ${JSON.stringify(asked)}`);
      await answers(tool, input, answer, named);
    },
    person: (text, details = {}) => core.dispatch("input", { session, cwd: world.work, text, ...details }),
  };
}

/** A world with one core and one session in it; `play` gets both, and everything is gone afterwards. */
export async function played(
  setting: RepeatSetting,
  play: (session: PlayedSession, world: RepeatWorld) => Promise<void>,
): Promise<void> {
  const world = makeRepeatWorld(setting);
  const core = await startCore(world);
  try {
    await play(playSession(core, world, "s"), world);
  } finally {
    await core.close();
    world.remove();
  }
}

export const failure = (text: string): Answer => ({ isError: true, text });
export const success = (text = "ok"): Answer => ({ isError: false, text });

export interface Kept {
  readonly tool: string;
  readonly said: string;
  readonly answer: string;
  readonly by: string;
  readonly at: string;
  readonly catalog: string;
  readonly answers: readonly string[];
  readonly retry: string | null;
  readonly closures: readonly string[];
}

/** `tama calls failed` of a session, or of one of its subagents. */
export async function keptCalls(world: World, session = "s", agent?: string): Promise<Readonly<Record<string, Kept>>> {
  const ended = await tama(world, [
    "calls",
    "failed",
    "--session",
    session,
    ...(agent === undefined ? [] : ["--agent", agent]),
  ]);
  if (ended.code !== 0) throw new Error(`calls failed: exit ${ended.code}: ${ended.stderr}`);
  return (JSON.parse(ended.stdout) as { calls: Record<string, Kept> }).calls;
}

/** The one call that is kept. */
export async function onlyKept(world: World, session = "s"): Promise<readonly [string, Kept]> {
  const entries = Object.entries(await keptCalls(world, session));
  const [only] = entries;
  if (only === undefined || entries.length > 1) throw new Error(`kept: ${JSON.stringify(entries)}`);
  return only;
}
