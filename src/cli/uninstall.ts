import { harnesses } from "../harness/harnesses.ts";
import type { Command } from "./command.ts";
import { changeInstallation, wishesOf } from "./installation.ts";

export const command: Command = {
  usage: "uninstall [<harness>…] [--plan] [--project]",
  about:
    "Takes Tama out of the agents named, or out of every one, and its program with the last. Your own entries and files stay byte for byte.",
  example: "tama uninstall --plan",
  args: {
    harness: {
      type: "positional",
      required: false,
      valueHint: "…",
      description: harnesses.map(({ name }) => name).join(", "),
    },
    plan: { type: "boolean", description: "show what would change as a diff, and write nothing" },
    project: { type: "boolean", description: "out of the settings of this folder, not your own" },
  },
  run: (context, given) => changeInstallation(context, "uninstall", wishesOf(given)),
};
