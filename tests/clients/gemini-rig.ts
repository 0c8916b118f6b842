import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeWorld } from "../journeys/tama-command.ts";
import { type AgentRig, clients, openAgentRig } from "./agent-rig.ts";
import { type Script, type ScriptedModel, startModel } from "./scripted-gemini.ts";

/** The real Gemini CLI in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface GeminiRig extends AgentRig<ScriptedModel> {
  /** The person's settings.json. */
  readonly settings: string;
}

export interface RigRequest {
  readonly script: Script;
  /** Default `["--no-binary"]`: the words behind `tama install gemini` before the first start; null = not installed. */
  readonly install?: readonly string[] | null;
  /** Words put before `gemini`: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
}

/** `gemini -p <prompt>`. */
export async function openGeminiRig(request: RigRequest): Promise<GeminiRig> {
  const { script, install = ["--no-binary"], under } = request;
  const { binFolder } = clients();
  const model = startModel(script);
  const world = makeWorld(environmentFor(binFolder, model.port));
  const settings = join(world.root, ".gemini", "settings.json");
  mkdirSync(dirname(settings));
  writeFileSync(settings, ownSettings);
  const words = [join(binFolder, "gemini"), "--approval-mode", "yolo", "-m", "gemini-2.5-pro"];
  const rig = await openAgentRig({
    world,
    model,
    command: (prompt, flags) => [...words, ...flags, "-p", prompt],
    install: install === null ? null : ["install", "gemini", ...install],
    under,
  });
  return { ...rig, settings };
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
