import { failedCalls } from "../core/repeat/calls.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "calls failed --session <id> [--agent <id>]",
  about: "The calls a session may not repeat unchanged, with what answered them, as JSON.",
  args: {
    session: { type: "string", required: true, valueHint: "id", description: "the session" },
    agent: { type: "string", valueHint: "id", description: "a subagent of it, whose calls are its own" },
  },
  run: async (context, given) => {
    const kept = await failedCalls(context.home, {
      session: given.text("session") ?? "",
      agentId: given.text("agent") ?? null,
    });
    if (!kept.ok) {
      context.err(`calls: ${kept.cause}\n`);
      return 1;
    }
    context.out(`${JSON.stringify(kept.value, null, 2)}\n`);
    return 0;
  },
};
