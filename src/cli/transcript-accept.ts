import { maskSecrets } from "../base/mask.ts";
import { acceptLine } from "../core/accept-line.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "transcript accept <byte> --session <id> [--agent <id>] --because <why>",
  about:
    "Passes over one broken line of a session's transcript, so that the gates that read it judge again. For the operator: what the line held is lost to them.",
  example: 'tama transcript accept 4096 --session 0f3c --because "the disk was full; the line is half an answer"',
  args: {
    byte: { type: "positional", description: "the byte at which the line starts, as the refusal names it" },
    session: { type: "string", required: true, valueHint: "id", description: "the session, as tama status names it" },
    agent: { type: "string", valueHint: "id", description: "a subagent of it, whose transcript is its own" },
    because: { type: "string", required: true, valueHint: "why", description: "why it does not matter; kept with it" },
  },
  run: async (context, given) => {
    const word = given.words[0] ?? "";
    if (!/^\d{1,15}$/.test(word)) {
      context.err(`transcript: ${JSON.stringify(word)} is no byte of a file\n`);
      return 2;
    }
    const accepted = await acceptLine(context.home, context.clock, {
      owner: { session: given.text("session") ?? "", agentId: given.text("agent") ?? null },
      byte: Number(word),
      because: maskSecrets(given.text("because") ?? ""),
    });
    if (!accepted.ok) {
      context.err(`transcript: ${accepted.cause}\n`);
      return 1;
    }
    const { path, byte, next } = accepted.value;
    context.out(`The line at byte ${byte} of ${path} is passed over from now on.\n`);
    if (next !== null) context.out(`The next broken line starts at byte ${next}.\n`);
    return 0;
  },
};
