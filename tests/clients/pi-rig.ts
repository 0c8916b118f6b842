import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processesWith, type SeenProcess } from "../journeys/process-table.ts";
import { type CommandEnd, makeWorld, tama, tamaBinary, type World } from "../journeys/tama-command.ts";
import { availableClients } from "./install.ts";
import { commandOf, pinned } from "./pinned.ts";
import { modelName, type Script, type ScriptedModel, startModel, type Turn } from "./scripted-openai.ts";

/** The real pi in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface PiRig {
  readonly world: World;
  /** The folder it works in. */
  readonly work: string;
  /** The adapter that pi loads. */
  readonly adapter: string;
  readonly model: ScriptedModel;
  /** The product under test, as the adapter names it. */
  readonly binary: string;
  /** `pi -p <prompt>` in the work folder. */
  readonly start: (prompt: string) => Started;
  readonly tama: (...words: string[]) => Promise<CommandEnd>;
  /** Every living process of this rig's world, wherever it went. */
  readonly processes: () => readonly SeenProcess[];
  readonly close: () => Promise<void>;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<CommandEnd>;
}

const found = await availableClients();
/** Why the journeys with pi cannot run here; null when they can. */
export const unavailable: string | null = "unavailable" in found ? found.unavailable : null;

/** A journey's own limit: a turn takes a second, on a shared machine several times that. */
export const limit = 120_000;

export interface RigRequest {
  readonly script: Script;
  /** Default `["--no-binary"]`: the words behind `tama install pi` before the first start; null = not installed. */
  readonly install?: readonly string[] | null;
  /** Words put before `pi`: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
}

export async function openPiRig({ script, install = ["--no-binary"], under = () => [] }: RigRequest): Promise<PiRig> {
  if ("unavailable" in found) throw new Error(found.unavailable);
  if (!existsSync(tamaBinary))
    throw new Error(`there is no ${tamaBinary}: run "bun run build", or set TAMA_TEST_BINARY`);
  const model = startModel(script);
  const PATH = `${found.binFolder}:/usr/local/bin:/usr/bin:/bin`;
  // Without PI_OFFLINE pi asks for a newer version of itself.
  const world = makeWorld({ PATH, LANG: "C.UTF-8", PI_OFFLINE: "1" });
  const work = join(world.root, "work");
  const agent = join(world.root, ".pi", "agent");
  for (const folder of [work, agent, join(world.root, "tmp")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(agent, "models.json"), JSON.stringify(modelsFor(model.port), null, 1));
  const running = new Set<Started>();
  const start = (prompt: string): Started => {
    const words = [...program(found.binFolder), "--provider", "scripted", "--model", modelName, "-p", prompt];
    const environment = { ...world.environment, TMPDIR: join(world.root, "tmp") };
    const started = startProgram([...under(world.home), ...words], work, environment);
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };
  const rig: PiRig = {
    world,
    work,
    adapter: join(agent, "extensions", "tama.ts"),
    model,
    binary: realpathSync(tamaBinary),
    start,
    tama: (...words) => tama(world, words),
    processes: () => processesWith(world.root),
    close: async () => {
      for (const { pid } of [...running, ...rig.processes()]) end(pid);
      await Promise.all([...running].map(({ ended }) => ended));
      await model.stop();
      world.remove();
    },
  };
  if (install !== null) succeeded(await rig.tama("install", "pi", ...install));
  return rig;
}

export function succeeded(ended: CommandEnd): CommandEnd {
  if (ended.code !== 0) throw new Error(`exit ${ended.signal ?? ended.code}\n${ended.stdout}${ended.stderr}`);
  return ended;
}

/** Ends one process of the rig by its number; one that is gone is done. */
export function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH")) throw thrown;
  }
}

export function call(name: string, args: Readonly<Record<string, unknown>>): Turn {
  return { tools: [{ name, args }] };
}

export function shell(command: string): Turn {
  return call("bash", { command });
}

/** What the model was told of its calls, oldest first, as the newest request holds it. */
export function toldOutputs({ requests }: ScriptedModel): readonly string[] {
  return (requests.at(-1)?.messages ?? []).filter(({ role }) => role === "tool").map(({ text }) => text);
}

function program(binFolder: string): readonly string[] {
  const client = pinned.find((one) => one.program === "pi");
  if (client === undefined) throw new Error("pi is not pinned");
  return commandOf(client, binFolder);
}

function modelsFor(port: number): object {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const provider = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    api: "openai-completions",
    apiKey: "a-key-that-opens-nothing",
    models: [{ id: modelName, name: modelName, cost, contextWindow: 100_000, maxTokens: 1_000 }],
  };
  return { providers: { scripted: provider } };
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
