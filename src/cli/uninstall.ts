import type { Command } from "./command.ts";
import { changeInstallation } from "./installation.ts";

export const command: Command = {
  usage: "uninstall [<harness>…] [--plan]",
  about: "Takes Tama out of the agents named, or out of every one. Your own entries and files stay byte for byte.",
  args: {
    harness: { type: "positional", required: false, valueHint: "…", description: "omp, claude-code" },
    plan: { type: "boolean", description: "show what would change as a diff, and write nothing" },
  },
  run: (context, given) => changeInstallation(context, "uninstall", given.words, given.flag("plan")),
};
