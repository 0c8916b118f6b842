import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processesWith, type SeenProcess } from "../journeys/process-table.ts";
import { type CommandEnd, makeWorld, tama, tamaBinary, type World } from "../journeys/tama-command.ts";
import { availableClients } from "./install.ts";
import { type Script, type ScriptedModel, startModel } from "./scripted-responses.ts";

/** The real Codex in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface CodexRig {
  readonly world: World;
  /** The folder it works in. */
  readonly work: string;
  readonly codexHome: string;
  readonly hooksFile: string;
  readonly config: string;
  readonly model: ScriptedModel;
  /** The product under test, as the hooks name it. */
  readonly binary: string;
  /** `codex exec <prompt>` in the work folder, no permission asked for. */
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

const found = await availableClients();
/** Why the journeys with Codex cannot run here; null when they can. */
export const unavailable: string | null = "unavailable" in found ? found.unavailable : null;

/** A journey's own limit: a turn takes a second, on a shared machine several times that. */
export const limit = 120_000;

export interface RigRequest {
  readonly script: Script;
  /** What each subagent says; default: that it is done. */
  readonly ofSubagents?: Script;
  /** Default `["--no-binary", "--trust"]`: the words behind `tama install codex` before the first start; null = not installed. */
  readonly install?: readonly string[] | null;
  /** Words put before `codex`: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
}

export async function openCodexRig(request: RigRequest): Promise<CodexRig> {
  if ("unavailable" in found) throw new Error(found.unavailable);
  if (!existsSync(tamaBinary))
    throw new Error(`there is no ${tamaBinary}: run "bun run build", or set TAMA_TEST_BINARY`);
  const { script, install = ["--no-binary", "--trust"], under = () => [] } = request;
  const model = startModel(script, request.ofSubagents);
  const world = makeWorld(environmentFor(found.binFolder));
  const codexHome = join(world.root, ".codex");
  const work = join(world.root, "work");
  for (const folder of [work, codexHome, join(world.root, "tmp")]) mkdirSync(folder);
  writeFileSync(join(codexHome, "config.toml"), configFor(model.port));
  const running = new Set<Started>();
  const start = (prompt: string, flags: readonly string[] = []): Started => {
    const words = [found.codex, "exec", "--json", "--skip-git-repo-check", ...flags, prompt];
    const environment = { ...world.environment, TMPDIR: join(world.root, "tmp") };
    const started = startProgram([...under(world.home), ...words], work, environment);
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };
  const rig: CodexRig = {
    world,
    work,
    codexHome,
    hooksFile: join(codexHome, "hooks.json"),
    config: join(codexHome, "config.toml"),
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
  if (install !== null) succeeded(await rig.tama("install", "codex", ...install));
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

function environmentFor(binFolder: string): Record<string, string> {
  return { PATH: `${binFolder}:/usr/local/bin:/usr/bin:/bin`, LANG: "C.UTF-8", FAKE_KEY: "a-key-that-opens-nothing" };
}

/** gpt-5.5 is the one model of this Codex that makes its calls itself instead of writing JavaScript. */
function configFor(port: number): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
`;
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
