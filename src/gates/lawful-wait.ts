import { callIdentity } from "../calls/identity.ts";
import type { Payload } from "../words/event.ts";
import { shellWord } from "./unreadable-transcript.ts";

/** Whether this release has `tama wait`; a refusal prints no command that does not work. */
const hasWait: boolean = false;

/** How to wait lawfully for an answer to change, in words that can be followed at once. `line` is the command line of a shell call. */
export function lawfulWait(harness: string, call: Payload<"tool_call">, line: string | null): string {
  if (line === null) return "";
  if (!hasWait)
    return " If it is to change by itself, wait for that in one call that ends when it has, such as: until <it is so>; do sleep 5; done.";
  return ` If it is to change by itself, wait for that in one call: ${waitCommand(harness, call, line)}`;
}

/** `tama wait`, which prints the command's answer once it differs from the one this very call got. */
function waitCommand(harness: string, call: Payload<"tool_call">, line: string): string {
  const id = callIdentity(harness, call.tool, call.cwd ?? null, call.input);
  const of = call.session == null ? "" : `--session ${shellWord(call.session)} --after ${id} `;
  return `tama wait ${of}-- sh -c ${shellWord(line)}`;
}
