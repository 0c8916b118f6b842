/** How a built-in gate ends, in the terms of a hook's own contract: 0 pass, 2 refuse, 70 infrastructure (contract 4). */
export interface GateEnding {
  readonly code: 0 | 2 | 70;
  readonly stdout: string;
  readonly stderr: string;
}

/** One gate over one event, through whichever door it came. */
export function runGate(gate: string, _stdin: string): GateEnding {
  return { code: 70, stdout: "", stderr: `TAMA_HOOK_INFRASTRUCTURE: ${gate}: this release carries no such gate` };
}
