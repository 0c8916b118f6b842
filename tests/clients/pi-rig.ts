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
  return { ...rig, adapter: join(agent, "extensions", "tama.ts") };
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
