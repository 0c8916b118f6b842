import { readToEnd } from "../base/descriptors.ts";
import type { Command } from "./command.ts";
import { openGateDoor } from "./gate-door.ts";

export const command: Command = {
  usage: "hook <gate>",
  about:
    "Runs one built-in gate on the normalized event on stdin. Exit 0 passes, 2 refuses with the reason on stderr, 70 judged nothing.",
  example: `echo '{"event":"tool_call","tool":"bash","input":{"command":"ls"}}' | tama hook block-gate-tampering`,
  args: { gate: { type: "positional", description: "the gate's id" } },
  run: async (context, given) => {
    const ending = await openGateDoor(context)(given.words[0] ?? "", readToEnd(0).toString());
    if (ending.stdout !== "") context.out(ending.stdout);
    if (ending.stderr !== "") context.err(`${ending.stderr}\n`);
    return ending.code;
  },
};
