import { failedCalls } from "../core/repeat/calls.ts";
import { isThere } from "../disk/is-there.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "calls failed --session <id> [--agent <id>]",
  about: "The calls a session may not repeat unchanged, with what answered them, as JSON.",
  example: "tama calls failed --session 0f3c",
  args: {
    session: { type: "string", required: true, valueHint: "id", description: "the session, as tama status names it" },
    agent: { type: "string", valueHint: "id", description: "a subagent of it, whose calls are its own" },
  },
  run: async (context, given) => {
    const [session, agentId] = [given.text("session") ?? "", given.text("agent") ?? null];
    const kept = await failedCalls(context.home, { session, agentId });
    if (!kept.ok) {
      context.err(`calls: ${kept.cause}\n`);
      return 1;
    }
    if (Object.keys(kept.value.calls).length === 0 && !isThere(context.home.sessionRecord(session, agentId)))
      context.err(
        `calls: nothing was seen here of session ${session}${agentId === null ? "" : `, agent ${agentId}`}; tama status names those that were\n`,
      );
    context.out(`${JSON.stringify(kept.value, null, 2)}\n`);
    return 0;
  },
};
