import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorld } from "../journeys/tama-command.ts";
import { type AgentRig, clients, openAgentRig } from "./agent-rig.ts";
import { type Script, type ScriptedModel, startModel } from "./scripted-anthropic.ts";

/** The real Claude Code in a home of its own, with the built Tama installed in it and a model that says what the test wrote. */
export interface ClaudeRig extends AgentRig<ScriptedModel> {
  /** Its settings file, Tama's entries in it. */
  readonly settings: string;
  /** The program of Claude Code. */
  readonly claude: string;
}

export interface RigRequest {
  readonly script: Script;
  /** Default true: `tama install claude-code` before the first start. */
  readonly install?: boolean;
  /** Words put before `claude`: a sandbox, made for this TAMA_HOME. */
  readonly under?: (tamaHome: string) => readonly string[];
  /** Put beside Claude Code's own environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** `claude -p <prompt>`; no permission is asked for unless the flags name a permission mode. */
export async function openClaudeRig(request: RigRequest): Promise<ClaudeRig> {
  const { script, install = true, under } = request;
  const { binFolder, claude } = clients();
  const model = startModel(script);
  const world = makeWorld({ ...environmentFor(binFolder, model.port), ...request.environment });
  const folder = join(world.root, ".claude");
  mkdirSync(folder);
  const rig = await openAgentRig({
    world,
    model,
    command: (prompt, flags) => {
      const free = flags.includes("--permission-mode") ? [] : ["--dangerously-skip-permissions"];
      return [claude, "-p", prompt, ...free, ...flags];
    },
    install: install ? ["install", "claude-code", "--no-binary"] : null,
    under,
  });
  return { ...rig, settings: join(folder, "settings.json"), claude };
}

/** A file the rig's home holds, for a test that sets it up itself. */
export function writeSettings(rig: ClaudeRig, text: string): void {
  writeFileSync(rig.settings, text);
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
