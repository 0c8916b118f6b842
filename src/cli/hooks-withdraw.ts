import { withdrawHooks } from "../core/registry.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "hooks withdraw (<id> | --all)",
  about: "Switches a hook off for every session from its next event.",
  example: "tama hooks withdraw block-idle-answer",
  args: {
    id: { type: "positional", required: false, description: "the hook" },
    all: { type: "boolean", description: "every hook" },
  },
  run: async (context, given) => {
    const id = given.words[0];
    if ((id === undefined) === !given.flag("all")) {
      context.err(`tama hooks withdraw: name one hook, or --all\nusage: tama ${command.usage}\n`);
      return 2;
    }
    const withdrawn = await withdrawHooks(context.home, id ?? null);
    if (!withdrawn.ok) {
      context.err(`hooks withdraw: ${withdrawn.cause}\n`);
      return 1;
    }
    context.out(
      withdrawn.value.length === 0
        ? "nothing was declared\n"
        : withdrawn.value.map((one) => `withdrew ${one}\n`).join(""),
    );
    return 0;
  },
};
