import type { Command } from "./command.ts";
import { type Offer, offersOf, scripts } from "./completion-scripts.ts";

export const command: Command = {
  usage: "completions bash|zsh|fish",
  about: "Prints a completion script for a shell.",
  example: "source <(tama completions bash)",
  args: { shell: { type: "positional", description: "bash, zsh or fish" } },
  run: async (context, given) => {
    const shell = given.words[0] ?? "";
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined) {
      context.err(`completions: there is no ${JSON.stringify(shell)}; there are ${Object.keys(scripts).join(", ")}\n`);
      return 2;
    }
    // Loaded here alone, since the tree knows this command.
    const { tree } = await import("./tree.ts");
    const offers: readonly Offer[] = await offersOf(tree);
    context.out(script(offers));
    return 0;
  },
};
