import { callIdentity } from "../calls/identity.ts";
import type { Payload } from "../words/event.ts";
import { shellWord } from "./unreadable-transcript.ts";

/**
 * How to wait lawfully for an answer to change: `tama wait`, which runs the line until its answer differs from the one this very call got,
 * printed whole so that it can be sent as it is. `line` is the command line of a shell call; another tool's answer is waited for by nobody.
 */
export function lawfulWait(harness: string, call: Payload<"tool_call">, line: string | null): string {
  return line === null
    ? ""
    : ` If it is to change by itself, wait for that in one call: ${waitCommand(harness, call, line)}`;
}

/** The harness's shell tool runs bash, so the line is bash's too. */
function waitCommand(harness: string, call: Payload<"tool_call">, line: string): string {
  const id = callIdentity(harness, call.tool, call.cwd ?? null, call.input);
  const agent = call.agentId == null || call.agentId === "" ? "" : ` --agent ${shellWord(call.agentId)}`;
  const known = call.session != null && call.session !== "";
  const of = known ? `--session ${shellWord(call.session ?? "")}${agent} --after ${id} ` : "";
  const patience = patiences[harness.toLowerCase()] ?? leastPatience;
  return `tama wait ${of}--for ${patience} -- bash -c ${shellWord(line)}`;
}

/**
 * How long a wait may take before it says `no change yet, send again`: shorter than the harness lets a shell call run when the call asks
 * for no other limit (OMP and Gemini 300 s, Claude Code 120 s), so that the wait's own words come back and not the tool's.
 */
const patiences: Readonly<Record<string, string>> = { omp: "4m", gemini: "4m", "claude-code": "100s" };
const leastPatience = "100s";
