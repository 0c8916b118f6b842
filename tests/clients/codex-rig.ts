import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorld } from "../journeys/tama-command.ts";
import { type AgentRig, clients, openAgentRig } from "./agent-rig.ts";
import { type Script, type ScriptedModel, startModel } from "./scripted-responses.ts";

/** The real Codex in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface CodexRig extends AgentRig<ScriptedModel> {
  readonly codexHome: string;
  readonly hooksFile: string;
  readonly config: string;
}

export interface RigRequest {
  readonly script: Script;
  /** What each subagent says; default: that it is done. */
  readonly ofSubagents?: Script;
  /** Default `["--no-binary", "--trust"]`: the words behind `tama install codex` before the first start; null = not installed. */
  readonly install?: readonly string[] | null;
  /** Words put before `codex`: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
}

/** `codex exec <prompt>`. */
export async function openCodexRig(request: RigRequest): Promise<CodexRig> {
  const { script, install = ["--no-binary", "--trust"], under } = request;
  const { binFolder, codex } = clients();
  const model = startModel(script, request.ofSubagents);
  const world = makeWorld(environmentFor(binFolder));
  const codexHome = join(world.root, ".codex");
  const config = join(codexHome, "config.toml");
  mkdirSync(codexHome);
  writeFileSync(config, configFor(model.port));
  const rig = await openAgentRig({
    world,
    model,
    command: (prompt, flags) => [codex, "exec", "--json", "--skip-git-repo-check", ...flags, prompt],
    install: install === null ? null : ["install", "codex", ...install],
    under,
  });
  return { ...rig, codexHome, hooksFile: join(codexHome, "hooks.json"), config };
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
