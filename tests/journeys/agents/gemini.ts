import { openGeminiRig } from "../../clients/gemini-rig.ts";
import { shell, toldOutputs } from "../../clients/scripted-gemini.ts";
import type { StoryAgent } from "./story-agent.ts";

export const gemini: StoryAgent = {
  name: "Gemini CLI",
  refused: "Tool execution blocked: ",
  program: /\.bin\/gemini /,
  open: async ({ model, under, withProgram = false }) => {
    const rig = await openGeminiRig({
      script: (_request, number) => {
        const say = model(number);
        return "shell" in say ? shell(say.shell) : say;
      },
      ...(under === undefined ? {} : { under }),
      ...(withProgram ? { install: [] } : {}),
    });
    const requests = (): readonly string[] => rig.model.requests.map(({ text }) => text);
    return { ...rig, told: () => toldOutputs(rig.model), requests };
  },
};
