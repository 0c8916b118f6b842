import { type Examination, examine } from "../harness/examine/examine.ts";
import type { Problem } from "../harness/examine/inspection.ts";
import type { Command } from "./command.ts";
import { machineOf } from "./installation.ts";
import { openProgressLine } from "./progress-line.ts";

export const command: Command = {
  usage: "doctor [--json]",
  about:
    "Looks whether Tama is really in your agents: what is installed and stale, hooks switched off, trust, calls no core saw, and a canary call refused through each installed command line. Exit 0 all well, 1 with problems; each names its way out.",
  args: { json: { type: "boolean", description: "the same as JSON" } },
  run: async (context, given) => {
    const own = { ...machineOf(context, { project: false, trust: false }), folder: context.cwd };
    const project = machineOf(context, { project: true, trust: false });
    const progress = openProgressLine(context);
    const found = await examine(context.home, { own, project }, (harness) => progress.show(`looking at ${harness} …`));
    progress.clear();
    context.out(given.flag("json") ? `${JSON.stringify(found, null, 2)}\n` : told(found));
    return found.problems.length + found.harnesses.flatMap(({ problems }) => problems).length === 0 ? 0 : 1;
  },
};

function told(found: Examination): string {
  const rows = found.harnesses.flatMap(
    ({ harness, program, version, installed, binary, canaryRefused, problems, notes }) => [
      `${harness}  ${program === null ? "not here" : (version ?? "version unknown")}  ${installed ? `installed, starts ${binary ?? "nothing"}` : "not installed"}`,
      ...(canaryRefused === true ? ["  a canary call is refused through its command line"] : []),
      ...problems.flatMap(problem),
      ...notes.map((note) => `  ${note}`),
    ],
  );
  const wrong = found.problems.length + found.harnesses.flatMap(({ problems }) => problems).length;
  const end = wrong === 0 ? "all well" : wrong === 1 ? "1 problem" : `${wrong} problems`;
  return `${[`tama ${found.release}  ${found.home}`, ...rows, ...found.problems.flatMap(problem), end].join("\n")}\n`;
}

function problem({ what, wayOut }: Problem): readonly string[] {
  return [`  problem: ${what}`, `    way out: ${wayOut}`];
}
