import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { processesWith, type SeenProcess } from "../journeys/process-table.ts";
import { type CommandEnd, makeWorld, tama, tamaBinary, type World } from "../journeys/tama-command.ts";
import { availableClients } from "./install.ts";
import { type Script, type ScriptedModel, startModel } from "./scripted-gemini.ts";

/** the real Gemini CLI in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface GeminiRig {
  readonly world: World;
  /** The folder it works in. */
  readonly work: string;
  /** The person's settings.json. */
  readonly settings: string;
  readonly model: ScriptedModel;
  /** The product under test, as the hooks name it. */
  readonly binary: string;
  /** `gemini -p <prompt>` in the work folder, no permission asked for. */
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
/** Why the journeys with Gemini CLI cannot run here; null when they can. */
export const unavailable: string | null = "unavailable" in found ? found.unavailable : null;

/** A journey's own limit: a turn takes a second, on a shared machine several times that. */
export const limit = 120_000;

export interface RigRequest {
  readonly script: Script;
  /** Default `["--no-binary"]`: the words behind `tama install gemini` before the first start; null = not installed. */
  readonly install?: readonly string[] | null;
  /** Words put before `gemini`: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
}

export async function openGeminiRig(request: RigRequest): Promise<GeminiRig> {
  if ("unavailable" in found) throw new Error(found.unavailable);
  if (!existsSync(tamaBinary))
    throw new Error(`there is no ${tamaBinary}: run "bun run build", or set TAMA_TEST_BINARY`);
  const { script, install = ["--no-binary"], under = () => [] } = request;
  const model = startModel(script);
  const world = makeWorld(environmentFor(found.binFolder, model.port));
  const work = join(world.root, "work");
  const settings = join(world.root, ".gemini", "settings.json");
  for (const folder of [work, dirname(settings), join(world.root, "tmp")]) mkdirSync(folder);
  writeFileSync(settings, ownSettings);
  const running = new Set<Started>();
  const start = (prompt: string): Started => {
    const words = [join(found.binFolder, "gemini"), "--approval-mode", "yolo", "-m", "gemini-2.5-pro", "-p", prompt];
    const environment = { ...world.environment, TMPDIR: join(world.root, "tmp") };
    const started = startProgram([...under(world.home), ...words], work, environment);
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };
  const rig: GeminiRig = {
    world,
    work,
    settings,
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
  if (install !== null) succeeded(await rig.tama("install", "gemini", ...install));
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

function environmentFor(binFolder: string, port: number): Record<string, string> {
  return {
    PATH: `${binFolder}:/usr/local/bin:/usr/bin:/bin`,
    LANG: "C.UTF-8",
    GEMINI_API_KEY: "a-key-that-opens-nothing",
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
    // Without it Gemini asks whether the folder is trusted, and in an untrusted one it approves nothing by itself.
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  };
}

/** A person's settings, in a manner of their own, with which nothing is sent anywhere but to the model. */
export const ownSettings = `{ "security":{"auth" :  {"selectedType":"gemini-api-key"}},
\t"privacy": {"usageStatisticsEnabled": false},
\t"general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}
}`;

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
