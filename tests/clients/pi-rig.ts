import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorld } from "../journeys/tama-command.ts";
import { type AgentRig, clients, openAgentRig } from "./agent-rig.ts";
import { commandOf, pinned } from "./pinned.ts";
import { modelName, type Script, type ScriptedModel, startModel, type Turn } from "./scripted-openai.ts";

/** The real pi in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface PiRig extends AgentRig<ScriptedModel> {
  /** The adapter that pi loads. */
  readonly adapter: string;
  /** `pi --mode rpc`: a session that takes several messages, one JSON object a line. */
  readonly rpc: () => PiRpc;
}

export interface PiRpc {
  readonly send: (command: object) => void;
  /** What pi reported so far. */
  readonly reported: () => readonly Record<string, unknown>[];
  /** Ends pi's input, and so pi; its exit code. */
  readonly end: () => Promise<number>;
}

export interface RigRequest {
  readonly script: Script;
  /** Default `["--no-binary"]`: the words behind `tama install pi` before the first start; null = not installed. */
  readonly install?: readonly string[] | null;
  /** Words put before `pi`: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
}

/** `pi -p <prompt>`. */
export async function openPiRig({ script, install = ["--no-binary"], under }: RigRequest): Promise<PiRig> {
  const { binFolder } = clients();
  const model = startModel(script);
  const PATH = `${binFolder}:/usr/local/bin:/usr/bin:/bin`;
  // Without PI_OFFLINE pi asks for a newer version of itself.
  const world = makeWorld({ PATH, LANG: "C.UTF-8", PI_OFFLINE: "1" });
  const agent = join(world.root, ".pi", "agent");
  mkdirSync(agent, { recursive: true });
  writeFileSync(join(agent, "models.json"), JSON.stringify(modelsFor(model.port), null, 1));
  const words = [...program(binFolder), "--provider", "scripted", "--model", modelName];
  const rig = await openAgentRig({
    world,
    model,
    command: (prompt, flags) => [...words, ...flags, "-p", prompt],
    install: install === null ? null : ["install", "pi", ...install],
    under,
  });
  const rpc = (): PiRpc => startRpc([...words, "--mode", "rpc"], rig);
  return { ...rig, adapter: join(agent, "extensions", "tama.ts"), rpc };
}

/** What it leaves running is ended with the rig's other processes. */
function startRpc(command: readonly string[], { world, work }: AgentRig<ScriptedModel>): PiRpc {
  const env = { ...world.environment, TMPDIR: join(world.root, "tmp") };
  const child = Bun.spawn([...command], { cwd: work, env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  let heard = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) heard += decoder.decode(chunk, { stream: true });
  })();
  return {
    send: (one) => void child.stdin.write(`${JSON.stringify(one)}\n`),
    reported: () =>
      heard
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    end: async () => {
      await child.stdin.end();
      return await child.exited;
    },
  };
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
