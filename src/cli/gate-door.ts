import { factLoader } from "../facts/load-facts.ts";
import { readyGates } from "../gates/gates.ts";
import { type GateEnding, runGate } from "../gates/run-gate.ts";
import type { Context } from "./command.ts";

/** A built-in gate over an event, with its facts from this machine: the same for the pool and for `tama hook`. */
export function openGateDoor(context: Context): (gate: string, stdin: string) => Promise<GateEnding> {
  const { home, userHome, cwd, environment, clock } = context;
  const load = factLoader({ tamaHome: home.root, userHome, cwd, environment, clock });
  return (gate, stdin) => runGate(gate, stdin, load);
}

/**
 * For a process that waits for its one hook: loads the gates and asks one about a call nobody made. What runs for the first time costs
 * many times what it costs again (measured: 4 ms, then 0.2), and here nobody waits for it. Nothing but files is read and nothing is kept.
 */
export async function rehearseGates(context: Context): Promise<void> {
  await readyGates();
  const ask = openGateDoor(context);
  for (const command of rehearsed)
    await ask(
      "block-gate-tampering",
      JSON.stringify({
        event: "tool_call",
        tool: "bash",
        kind: "shell",
        input: { command },
        cwd: context.cwd,
        tama: { harness: "omp" },
      }),
    );
}

const rehearsed: readonly string[] = ["ls -la . | head -n 5", "git status && cat 'a b.txt' > /dev/null"];
