import type { Command } from "./command.ts";
import { changeInstallation } from "./installation.ts";

export const command: Command = {
  usage: "install [<harness>…] [--plan]",
  about:
    "Puts Tama into the agents named, or into every one found here. Says what it writes; --plan only says it. Undo: tama uninstall.",
  args: {
    harness: { type: "positional", required: false, valueHint: "…", description: "omp, claude-code" },
    plan: { type: "boolean", description: "show what would change as a diff, and write nothing" },
  },
  run: (context, given) => changeInstallation(context, "install", given.words, given.flag("plan")),
};
