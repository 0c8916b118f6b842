import { quotedWord } from "../base/quoted-word.ts";
import { callIdentity } from "../calls/identity.ts";
import { isShellBuiltin } from "../shell/builtins.ts";
import { plainCommand } from "../shell/plain-command.ts";
import type { Payload } from "../words/event.ts";
import { ownerFlags } from "./unreadable-transcript.ts";

/**
 * How long a shell tool of each harness runs by default, less a margin: `tama wait --for` answers before it, so that the tool does not cut
 * it off. OMP's is 300 s, Claude Code's and others' 120 s; where none is known the shortest holds.
 */
const waitFor: Readonly<Record<string, string>> = { omp: "280s" };
const waitForAnyone = "110s";

/**
 * The lawful way to wait for an answer to change: `tama wait`, which prints the command's answer once it differs from the one this very
 * call got. It ends its line, so that it can be copied whole.
 */
export function lawfulWait(harness: string, call: Payload<"tool_call">, line: string): string {
  return `If it is to change by itself, wait for that in one call: ${waitCommand(harness, call, line)}`;
}

function waitCommand(harness: string, call: Payload<"tool_call">, line: string): string {
  const limit = Object.hasOwn(waitFor, harness) ? waitFor[harness] : waitForAnyone;
  return ["tama wait", ...known(harness, call), `--for ${limit}`, "--", asCommand(line)].join(" ");
}

/** What the wait compares with: the answer of this very call. Without a session its own first run is the baseline. */
function known(harness: string, call: Payload<"tool_call">): readonly string[] {
  const flags = ownerFlags(call);
  return flags === null ? [] : [flags, `--after ${callIdentity(harness, call.tool, call.cwd ?? null, call.input)}`];
}

/** `tama wait` takes a program and its words as they are, and one word with spaces in it as a line for a shell. */
function asCommand(line: string): string {
  const plain = plainCommand(line);
  if (plain !== null && !isShellBuiltin(plain[0] ?? "") && !line.includes("\n")) return line.trim();
  return /\s/.test(line.trim()) ? quotedWord(line) : `sh -c ${quotedWord(line)}`;
}
