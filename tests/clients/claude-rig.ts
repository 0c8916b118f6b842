import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processesWith, type SeenProcess } from "../journeys/process-table.ts";
import { type CommandEnd, makeWorld, tama, tamaBinary, type World } from "../journeys/tama-command.ts";
import { availableClients } from "./install.ts";
import { type Script, type ScriptedModel, startModel } from "./scripted-anthropic.ts";

/** The real Claude Code in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface ClaudeRig {
  readonly world: World;
  /** The folder it works in. */
  readonly work: string;
  /** Its settings file, Tama's entries in it. */
  readonly settings: string;
  readonly model: ScriptedModel;
  /** The product under test, as the settings name it. */
  readonly binary: string;
  /** The program of Claude Code. */
  readonly claude: string;
  /** `claude -p <prompt>` in the work folder; no permission is asked for unless the flags name a permission mode. */
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
/** Why the journeys with Claude Code cannot run here; null when they can. */
export const unavailable: string | null = "unavailable" in found ? found.unavailable : null;

/** A journey's own limit: a turn takes under a second, on a shared machine several times that. */
export const limit = 120_000;

export interface RigRequest {
  readonly script: Script;
  /** Default true: `tama install claude-code` before the first start. */
  readonly install?: boolean;
  /** Words put before `claude`: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
  /** Put beside Claude Code's own environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function openClaudeRig(request: RigRequest): Promise<ClaudeRig> {
  const { script, install = true, under = () => [] } = request;
  if ("unavailable" in found) throw new Error(found.unavailable);
  if (!existsSync(tamaBinary))
    throw new Error(`there is no ${tamaBinary}: run "bun run build", or set TAMA_TEST_BINARY`);
  const model = startModel(script);
  const world = makeWorld({ ...environmentFor(found.binFolder, model.port), ...request.environment });
  const work = join(world.root, "work");
  for (const folder of [work, join(world.root, "tmp"), join(world.root, ".claude")]) mkdirSync(folder);
  const running = new Set<Started>();
  const start = (prompt: string, flags: readonly string[] = []): Started => {
    const free = flags.includes("--permission-mode") ? [] : ["--dangerously-skip-permissions"];
    const words = [found.claude, "-p", prompt, ...free, ...flags];
    const environment = { ...world.environment, TMPDIR: join(world.root, "tmp") };
    const started = startProgram([...under(world.home), ...words], work, environment);
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };
  const rig: ClaudeRig = {
    world,
    work,
    settings: join(world.root, ".claude", "settings.json"),
    model,
    binary: realpathSync(tamaBinary),
    claude: found.claude,
    start,
    tama: (...words) => tama(world, words),
    processes: () => processesWith(world.root),
    close: async () => {
      for (const { pid } of running) end(pid);
      for (const { pid } of rig.processes()) end(pid);
      await Promise.all([...running].map(({ ended }) => ended));
      await model.stop();
      world.remove();
    },
  };
  if (install) succeeded(await rig.tama("install", "claude-code", "--no-binary"));
  return rig;
}

export function succeeded(ended: CommandEnd): CommandEnd {
  if (ended.code !== 0) throw new Error(`exit ${ended.signal ?? ended.code}\n${ended.stdout}${ended.stderr}`);
  return ended;
}

/** A file the rig's home holds, for a test that sets it up itself. */
export function writeSettings(rig: ClaudeRig, text: string): void {
  writeFileSync(rig.settings, text);
}

/** Ends one process of the rig by its number; one that is gone is done. */
export function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH")) throw thrown;
  }
}

/** IS_SANDBOX lets root go without permissions; the rest keeps it from every address but the model's. */
function environmentFor(binFolder: string, port: number): Record<string, string> {
  return {
    PATH: `${binFolder}:/usr/local/bin:/usr/bin:/bin`,
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: "sk-ant-api03-a-key-that-opens-nothing-0000",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  };
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
