import { factLoader } from "../facts/load-facts.ts";

export { readyGates } from "../gates/gates.ts";

import { type GateEnding, runGate } from "../gates/run-gate.ts";
import type { Context } from "./command.ts";

/** A built-in gate over an event, with its facts from this machine: the same for the pool and for `tama hook`. */
export function openGateDoor(context: Context): (gate: string, stdin: string) => Promise<GateEnding> {
  const { home, userHome, cwd, environment } = context;
  const load = factLoader({ tamaHome: home.root, userHome, cwd, environment });
  return (gate, stdin) => runGate(gate, stdin, load);
}
