import { openCodexRig } from "../../clients/codex-rig.ts";
import { shell, toldOutputs } from "../../clients/scripted-responses.ts";
import type { StoryAgent } from "./story-agent.ts";

export const codex: StoryAgent = {
  name: "Codex",
  refused: "Command blocked by PreToolUse hook: ",
  program: /\/bin\/codex(\.js)? exec /,
  open: async ({ model, under, withProgram = false }) => {
    const rig = await openCodexRig({
      script: (_request, number) => {
        const say = model(number);
        return "shell" in say ? shell(say.shell) : say;
      },
      ...(under === undefined ? {} : { under }),
      ...(withProgram ? { install: ["--trust"] } : {}),
    });
    const requests = (): readonly string[] => rig.model.requests.map(({ text }) => text);
    return { ...rig, told: () => toldOutputs(rig.model), requests };
  },
};
