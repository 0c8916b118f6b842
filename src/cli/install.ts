import { harnesses } from "../harness/harnesses.ts";
import type { Command } from "./command.ts";
import { changeInstallation, wishesOf } from "./installation.ts";

export const command: Command = {
  usage: "install [<harness>…] [--plan] [--project] [--no-binary] [--trust]",
  about:
    "Puts Tama into the agents named, or into every one found here, and its program into ~/.local/bin. Says what it writes; --plan only says it. Undo: tama uninstall.",
  example: "tama install claude-code --plan",
  args: {
    harness: {
      type: "positional",
      required: false,
      valueHint: "…",
      description: harnesses.map(({ name }) => name).join(", "),
    },
    plan: { type: "boolean", description: "show what would change as a diff, and write nothing" },
    project: { type: "boolean", description: "into the settings of this folder, not your own (claude-code)" },
    "no-binary": { type: "boolean", description: "leave the program where it is; agents start that one" },
    trust: { type: "boolean", description: "for codex: also write down that you trust Tama's hooks" },
  },
  run: (context, given) => changeInstallation(context, "install", wishesOf(given)),
};
