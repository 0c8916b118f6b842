import { retryCall } from "../core/repeat/retry.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "calls retry <call> --session <id> [--agent <id>] --because <what changed>",
  about: "Lifts the hold on repeating one call unchanged, until it fails again. Every other gate still decides it.",
  example: 'tama calls retry 3e61c742a3d0adfb --session 0f3c --because "the server is back up"',
  args: {
    call: { type: "positional", description: "the call, as the refusal or `tama calls failed` names it" },
    session: { type: "string", required: true, valueHint: "id", description: "the session, as tama status names it" },
    agent: { type: "string", valueHint: "id", description: "a subagent of it, whose calls are its own" },
    because: {
      type: "string",
      required: true,
      valueHint: "what changed",
      description: "what changed since the call failed; kept with it",
    },
  },
  run: async (context, given) => {
    const owner = { session: given.text("session") ?? "", agentId: given.text("agent") ?? null };
    const kept = await retryCall(context.home, owner, given.words[0] ?? "", given.text("because") ?? "");
    if (!kept.ok) {
      context.err(`calls: ${kept.cause}\n`);
      return 1;
    }
    context.out(`${JSON.stringify(kept.value, null, 2)}\n`);
    return 0;
  },
};
