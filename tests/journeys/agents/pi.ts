import { openPiRig, shell, toldOutputs } from "../../clients/pi-rig.ts";
import type { StoryAgent } from "./story-agent.ts";

export const pi: StoryAgent = {
  name: "pi",
  refused: "",
  program: / --provider scripted /,
  open: async ({ model, under, withProgram = false }) => {
    let number = 0;
    const rig = await openPiRig({
      script: () => {
        const say = model(number++);
        return "shell" in say ? shell(say.shell) : say;
      },
      ...(under === undefined ? {} : { under }),
      ...(withProgram ? { install: [] } : {}),
    });
    const requests = (): readonly string[] =>
      rig.model.requests.map(({ messages }) => messages.map(({ text }) => text).join("\n"));
    return { ...rig, told: () => toldOutputs(rig.model), requests };
  },
};
