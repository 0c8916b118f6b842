import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { processesWith, type SeenProcess } from "../journeys/process-table.ts";
import { type CommandEnd, tama, tamaBinary, type World } from "../journeys/tama-command.ts";
import { availableClients, type Clients } from "./install.ts";

export { limit, limitMs } from "./limit.ts";

/** A real agent in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface AgentRig<Model> {
  readonly world: World;
  /** The folder it works in. */
  readonly work: string;
  readonly model: Model;
  /** The product under test, as the agent's hooks name it. */
  readonly binary: string;
  /** The agent with this prompt in the work folder, no permission asked for. */
  readonly start: (prompt: string, flags?: readonly string[]) => Started;
  readonly tama: (...words: string[]) => Promise<CommandEnd>;
  /** Every living process of this rig's world, wherever it went. */
  readonly processes: () => readonly SeenProcess[];
  readonly close: () => Promise<void>;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
}

/** What one agent's rig adds to the frame. */
export interface AgentFrame<Model> {
  readonly world: World;
  readonly model: Model;
  /** The words that start the agent. */
  readonly command: (prompt: string, flags: readonly string[]) => readonly string[];
  /** The words behind `tama` before the first start; null = Tama is not installed. */
  readonly install: readonly string[] | null;
  /** Words put before the agent: a sandbox, made for this TAMA_HOME. */
  readonly under: ((tamaHome: string) => readonly string[]) | undefined;
}

const found = await availableClients();
/** Why the journeys with real agents cannot run here; null when they can. */
export const unavailable: string | null = "unavailable" in found ? found.unavailable : null;

/** The installed agents; throws where there are none, or no product to test. */
export function clients(): Clients {
  if ("unavailable" in found) throw new Error(found.unavailable);
  if (!existsSync(tamaBinary))
    throw new Error(`there is no ${tamaBinary}: run "bun run build", or set TAMA_TEST_BINARY`);
  return found;
}

export async function openAgentRig<Model extends { readonly stop: () => Promise<void> }>(
  frame: AgentFrame<Model>,
): Promise<AgentRig<Model>> {
  const { world, model, command, install, under = () => [] } = frame;
  const work = join(world.root, "work");
  const temporary = join(world.root, "tmp");
  for (const folder of [work, temporary]) mkdirSync(folder);
  const running = new Set<Started>();
  const rig: AgentRig<Model> = {
    world,
    work,
    model,
    binary: realpathSync(tamaBinary),
    start: (prompt, flags = []) => {
      const words = [...under(world.home), ...command(prompt, flags)];
      const started = startProgram(words, work, { ...world.environment, TMPDIR: temporary });
      running.add(started);
      void started.ended.then(() => running.delete(started));
      return started;
    },
    tama: (...words) => tama(world, words),
    processes: () => processesWith(world.root),
    close: async () => {
      for (const { pid } of [...running, ...rig.processes()]) end(pid);
      await Promise.all([...running].map(({ ended }) => ended));
      await model.stop();
      world.remove();
    },
  };
  if (install !== null) succeeded(await rig.tama(...install));
  return rig;
}

export function succeeded(ended: CommandEnd): CommandEnd {
  if (ended.code !== 0) throw new Error(`exit ${ended.signal ?? ended.code}\n${ended.stdout}${ended.stderr}`);
  return ended;
}

/** Ends one process of the rig by its number; one that is gone is done. */
export function end(pid: number): void {
  // 0 and below name whole groups, this test's own among them.
  if (pid <= 1) throw new Error(`${pid} is no process of a rig`);
  try {
    process.kill(pid, "SIGKILL");
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH")) throw thrown;
  }
}

function startProgram(command: readonly string[], cwd: string, environment: Readonly<Record<string, string>>): Started {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const ended = Promise.all([child.exited, child.stdout.text(), child.stderr.text()]).then(([, stdout, stderr]) => {
    const signal = child.signalCode === null ? null : String(child.signalCode);
    return { code: signal === null ? child.exitCode : null, signal, stdout, stderr };
  });
  return { pid: child.pid, ended };
}
