import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { clients, openAgentRig } from "../../clients/agent-rig.ts";
import { configureOmp } from "../../clients/omp-rig.ts";
import { startModel } from "../../clients/scripted-openai.ts";
import { makeWorld } from "../tama-command.ts";
import type { StoryAgent } from "./story-agent.ts";

/** `omp -p`. What OMP does in a window, over RPC and with several sessions is told in its own folder, with its own rig. */
export const omp: StoryAgent = {
  name: "OMP",
  refused: "",
  program: /\/omp -p /,
  open: async ({ model, under, withProgram = false }) => {
    let number = 0;
    const scripted = startModel(() => {
      const say = model(number++);
      return "shell" in say ? { tools: [{ name: "bash", args: { command: say.shell, i: "Working" } }] } : say;
    });
    const { binFolder, omp: program } = clients();
    const world = makeWorld({ PATH: `${binFolder}:/usr/local/bin:/usr/bin:/bin`, LANG: "C.UTF-8", PI_NO_TITLE: "1" });
    const agent = join(world.root, ".omp/agent");
    mkdirSync(agent, { recursive: true });
    configureOmp(agent, scripted.port);
    const rig = await openAgentRig({
      world,
      model: scripted,
      command: (prompt, flags) => [program, ...flags, "-p", prompt],
      install: withProgram ? ["install", "omp"] : ["install", "omp", "--no-binary"],
      under,
    });
    const told = (): readonly string[] =>
      (scripted.requests.at(-1)?.messages ?? []).filter(({ role }) => role === "tool").map(({ text }) => text);
    const requests = (): readonly string[] =>
      scripted.requests.map(({ messages }) => messages.map(({ text }) => text).join("\n"));
    return { ...rig, told, requests };
  },
};
