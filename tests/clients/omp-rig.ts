import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HeldHook, heldHook } from "./held-hook.ts";
import { availableClients, type Clients } from "./install.ts";
import { openWindow, type TerminalWindow } from "./omp-window.ts";
import { modelName, type Script, type ScriptedModel, startModel } from "./scripted-openai.ts";

export { limit, limitMs } from "./limit.ts";

/** The real OMP in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface OmpRig {
  readonly home: string;
  readonly work: string;
  readonly tamaHome: string;
  /** The adapter that OMP loads. */
  readonly adapter: string;
  readonly model: ScriptedModel;
  /** `omp -p <prompt>` in the work folder. */
  readonly start: (prompt: string, environment?: Record<string, string>) => Started;
  readonly omp: (...words: string[]) => Promise<Ended>;
  /** `omp --mode rpc`: a session that takes several messages, one JSON object a line. */
  readonly rpc: () => Rpc;
  /** `omp` in a terminal, ready for a prompt. */
  readonly window: () => Promise<TerminalWindow>;
  readonly tama: (...words: string[]) => Promise<Ended>;
  readonly tamaWith: (environment: Record<string, string>, ...words: string[]) => Promise<Ended>;
  /** Declares a hook of the person's: a shell script that gets the event on stdin, by default of each bash call. */
  readonly declare: (id: string, script: string, on?: object) => Promise<void>;
  /** Declares a hook whose verdict and pace are the test's; `said` is what it prints on stderr when it has to wait. */
  readonly hold: (id: string, on?: object, said?: string) => Promise<HeldHook>;
  /** Every process that was started with this rig's TAMA_HOME, so every one of Tama's and of its hooks, wherever it went. */
  readonly processes: () => Found[];
  readonly close: () => Promise<void>;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

export interface Rpc {
  readonly send: (command: object) => void;
  /** The types of what OMP reported so far. */
  readonly reported: () => string[];
  /** OMP answered the command of this id. */
  readonly answered: (id: string) => boolean;
  /** Ends OMP's input, and so OMP. */
  readonly end: () => Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Found {
  readonly pid: number;
  readonly command: string;
}

const found = await availableClients();
/** Why the journeys with OMP cannot run here; null when they can. */
export const unavailable: string | null = "unavailable" in found ? found.unavailable : null;

/** The product under test. */
export const binary: string = process.env["TAMA_TEST_BINARY"] ?? join(import.meta.dir, "../../dist/tama");

/** `config` stands below the rig's own lines of OMP's config.yml; `background` leaves OMP its background jobs, as it comes. */
export async function openOmpRig(
  script: Script,
  { install = true, background = false, config = "" } = {},
): Promise<OmpRig> {
  if ("unavailable" in found) throw new Error(found.unavailable);
  if (!existsSync(binary)) throw new Error(`there is no ${binary}: run "bun run build", or set TAMA_TEST_BINARY`);
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tama-omp-rig-")));
  const [home, work, tamaHome, temporary] = ["home", "work", "tama", "tmp"].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [work, temporary, join(home, ".omp/agent")]) mkdirSync(folder, { recursive: true });
  const model = startModel(script);
  configureOmp(join(home, ".omp/agent"), model.port, `${background ? "" : "async: {enabled: false}\n"}${config}`);
  const env = environmentFor(found, { HOME: home, TMPDIR: temporary, TAMA_HOME: tamaHome });
  const running = new Set<Started>();
  const start = (command: string[], more: Record<string, string> = {}): Started => {
    const started = startProgram(command, work, { ...env, ...more });
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };
  const tama = (...words: string[]) => start([binary, ...words]).ended;
  const windows: TerminalWindow[] = [];
  const rig: OmpRig = {
    home,
    work,
    tamaHome,
    adapter: join(home, ".omp/agent/extensions/tama.ts"),
    model,
    start: (prompt, more) => start([found.omp, "-p", prompt], more),
    omp: (...words) => start([found.omp, ...words]).ended,
    rpc: () => {
      const { child, started, heard } = startPiped([found.omp, "--mode", "rpc"], work, env);
      running.add(started);
      const send = (command: object): void => void child.stdin.write(`${JSON.stringify(command)}\n`);
      const endInput = async (): Promise<Ended> => {
        await child.stdin.end();
        return started.ended;
      };
      const answered = (id: string): boolean => heard().includes(`"id":"${id}","type":"response"`);
      return { send, reported: () => typesIn(heard()), answered, end: endInput };
    },
    tama,
    tamaWith: (more, ...words) => start([binary, ...words], more).ended,
    window: async () => {
      const opened = await openWindow([found.omp], { cwd: work, environment: env });
      windows.push(opened);
      await opened.until("scripted", "OMP's first screen").catch(() => {});
      return opened;
    },
    declare: (id, text, on = eachBashCall) => declareHook(root, tama, { id, text, on }),
    hold: async (id, on = eachBashCall, said = "") => {
      const { script: text, hook } = heldHook(root, id, said);
      await declareHook(root, tama, { id, text, on });
      return hook;
    },
    processes: () => processesWith(`TAMA_HOME=${tamaHome}`),
    close: async () => {
      for (const opened of windows) await opened.close();
      for (const { pid } of running) end(pid);
      await Promise.all([...running].map(({ ended }) => ended));
      await model.stop();
      for (const { pid } of rig.processes()) end(pid);
      rmSync(root, { recursive: true, force: true });
    },
  };
  if (install) succeeded(await tama("install", "omp", "--no-binary"));
  return rig;
}

/** The events Tama decided in this rig's one session, in order. */
export function decidedEvents(rig: OmpRig): string[] {
  const [log] = readdirSync(join(rig.tamaHome, "log"));
  const lines = readFileSync(join(rig.tamaHome, "log", log ?? ""), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => String(JSON.parse(line).event));
}

/** Waits for what a test is about; never a fixed time. */
export async function until<Value>(look: () => Value | null | undefined | false, what: string): Promise<Value> {
  const giveUp = performance.now() + 60_000;
  for (;;) {
    const seen = look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > giveUp) throw new Error(`in a minute it was not seen: ${what}`);
    await Bun.sleep(20);
  }
}

export function succeeded(ended: Ended): Ended {
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

/** OMP's own settings: its model is the scripted one, and it asks nobody anything. `more` stands below them. */
export function configureOmp(agentFolder: string, port: number, more = ""): void {
  const cost = "cost: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}";
  const limits = "contextWindow: 200000, maxTokens: 8192";
  writeFileSync(
    join(agentFolder, "models.yml"),
    `providers:
  scripted:
    baseUrl: http://127.0.0.1:${port}/v1
    apiKey: none-needed
    api: openai-completions
    models: [{id: ${modelName}, name: Scripted, reasoning: false, input: [text], ${limits}, ${cost}}]
`,
  );
  writeFileSync(
    join(agentFolder, "config.yml"),
    `setupVersion: 2
modelRoles: {default: scripted/${modelName}, smol: scripted/${modelName}, slow: scripted/${modelName}}
startup: {checkUpdate: false, setupWizard: false, showSplash: false, changelogMode: hidden}
memory: {backend: "off"}
dev: {autoqa: false}
${more}`,
  );
}

function environmentFor(clients: Clients, own: Record<string, string>): Record<string, string> {
  return { PATH: `${clients.binFolder}:/usr/local/bin:/usr/bin:/bin`, LANG: "C.UTF-8", PI_NO_TITLE: "1", ...own };
}

function startProgram(command: string[], cwd: string, env: Record<string, string>): Started {
  const { child, started } = startPiped(command, cwd, env);
  child.stdin.end();
  return started;
}

function startPiped(command: string[], cwd: string, env: Record<string, string>) {
  const child = Bun.spawn(command, { cwd, env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  let stdout = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) stdout += decoder.decode(chunk, { stream: true });
  })();
  const ended = Promise.all([child.exited, new Response(child.stderr).text(), reading]).then(([, stderr]) => ({
    code: child.signalCode === null ? child.exitCode : null,
    signal: child.signalCode === null ? null : String(child.signalCode),
    stdout,
    stderr,
  }));
  const started: Started = { pid: child.pid, ended };
  return { child, started, heard: () => stdout };
}

function typesIn(reported: string): string[] {
  const lines = reported.split("\n").slice(0, -1);
  return lines.map((line) => String(JSON.parse(line).type));
}

const eachBashCall = { event: "tool_call", tools: ["bash"] };

interface OwnHook {
  readonly id: string;
  readonly text: string;
  readonly on: object;
}

async function declareHook(root: string, tama: OmpRig["tama"], { id, text, on }: OwnHook): Promise<void> {
  writeFileSync(join(root, `${id}.sh`), `#!/bin/sh\n${text}`, { mode: 0o755 });
  const program = { command: [`./${id}.sh`] };
  const declaration = { id, discipline: "my-own", says: "a hook of a test", on: [on], program };
  writeFileSync(join(root, `${id}.json`), JSON.stringify(declaration));
  succeeded(await tama("hooks", "declare", "--file", join(root, `${id}.json`)));
}

// By environment, because a process that left its parent and its group still carries it.
function processesWith(variable: string): Found[] {
  if (!existsSync("/proc/self/environ")) return listedWith(variable);
  return readdirSync("/proc").flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || !readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(variable))
        return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return [{ pid: Number(name), command }];
    } catch {
      return [];
    }
  });
}

function listedWith(variable: string): Found[] {
  const listed = Bun.spawnSync(["ps", "-axEww", "-o", "pid=,command="]).stdout.toString().split("\n");
  return listed
    .filter((line) => line.includes(variable))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line }));
}
