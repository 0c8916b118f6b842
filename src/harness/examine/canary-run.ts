import { newMark } from "../../base/ids.ts";
import { firstLine, printable } from "../../base/printable.ts";
import type { Machine } from "../harness.ts";
import type { Inspection, Problem } from "./inspection.ts";

/**
 * The proof that a gate exists: a canary call sent through the very line the harness starts, and its refusal seen in the answer. The line
 * runs under `sh` with the canary on its stdin, as the harness would run it.
 */
export async function runCanary(machine: Machine, name: string, inspection: Inspection): Promise<readonly Problem[]> {
  const { line } = inspection;
  if (line === null) return [];
  const mark = newMark();
  const ended = await machine.run(
    ["sh", "-c", `printf '%s\\n' "$0" | { ${line.command}; }`, line.canary(mark)],
    patienceMs,
  );
  if (!ended.ok) return [gone(name, `its command line cannot be started: ${ended.cause}`)];
  const { code, stdout, stderr } = ended.value;
  const refused = new RegExp(`TAMA_CANARY ${mark}: refused by tama (\\S+) for `).exec(stdout + stderr);
  if (refused === null || !stdout.includes(line.refusal)) {
    const said = firstLine(stderr) || firstLine(stdout) || "nothing";
    return [
      gone(
        name,
        `a canary call was not refused (${code === null ? `no end within ${patienceMs / 1000} s, or a signal` : `exit ${code}`}; it said: ${printable(said).slice(0, 300)})`,
      ),
    ];
  }
  if (refused[1] === machine.release) return [];
  const what = `${name} starts tama ${refused[1]}, and this is tama ${machine.release}`;
  return [{ what, wayOut: "tama install puts this release in its place" }];
}

/** A start takes a tenth of a second; a machine with much to do several. */
const patienceMs = 60_000;

function gone(name: string, what: string): Problem {
  return { what: `THE GATE DOES NOT EXIST in ${name}: ${what}`, wayOut: `tama install ${name}` };
}
