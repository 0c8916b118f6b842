import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../../disk/home.ts";
import type { Machine } from "../harness.ts";
import { type HarnessEntry, harnesses } from "../harnesses.ts";
import { copiesOnPath } from "../place-binary.ts";
import { runCanary } from "./canary-run.ts";
import { homeHealth } from "./home-health.ts";
import type { Inspection, Problem } from "./inspection.ts";
import { unseenCalls } from "./unseen-calls.ts";

/** What `tama doctor` found: each harness, and what is the same for all. */
export interface Examination {
  readonly release: string;
  readonly home: string;
  readonly harnesses: readonly ExaminedHarness[];
  readonly problems: readonly Problem[];
}

interface ExaminedHarness {
  readonly harness: string;
  /** The program on PATH; null = it is not here. */
  readonly program: string | null;
  readonly version: string | null;
  readonly installed: boolean;
  readonly binary: string | null;
  /** A canary call was refused through the installed line; null where there is no line. */
  readonly canaryRefused: boolean | null;
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/** `own` = the person's settings; `project` = the same machine as the folder's own settings see it. */
export interface Machines {
  readonly own: Machine;
  readonly project: Machine;
}

/** `looking` hears each harness's name before it is asked: one may take seconds. */
export async function examine(
  home: Home,
  { own, project }: Machines,
  looking: (harness: string) => void,
): Promise<Examination> {
  // First, since a core that answers a canary closes a home that is open to others.
  const health = await homeHealth(home);
  const machines = { own: askingOnce(own), project: askingOnce(project) };
  const examined: ExaminedHarness[] = [];
  for (const entry of harnesses) {
    looking(entry.name);
    examined.push(await examineHarness(home, machines, entry));
  }
  const problems = [
    ...health,
    ...(examined.some(({ installed }) => installed)
      ? pathProblems(machines.own, examined)
      : [{ what: "no gate exists: Tama is installed in no agent", wayOut: "tama install" }]),
  ];
  return { release: own.release, home: home.root, harnesses: examined, problems };
}

/** Agents take a second to say their version, and several here ask. */
function askingOnce(machine: Machine): Machine {
  const asked = new Map<string, ReturnType<Machine["run"]>>();
  const run: Machine["run"] = (command, withinMs) => {
    const key = JSON.stringify(command);
    const answer = asked.get(key) ?? machine.run(command, withinMs);
    asked.set(key, answer);
    return answer;
  };
  return { ...machine, run };
}

async function examineHarness(home: Home, machines: Machines, entry: HarnessEntry): Promise<ExaminedHarness> {
  const { own } = machines;
  const { name } = entry;
  const program = own.which(entry.program);
  const version = program === null ? null : await versionOf(own, program);
  const inspect = await entry.inspect();
  const inspection = await inspect(own);
  const { installed, binary } = inspection;
  const canary = await runCanary(own, name, inspection);
  const stale = installed ? await staleProblems(machines, entry, binary) : [];
  const problems = [...inspection.problems, ...canary, ...stale, ...unseenCalls(home, name, inspection)];
  return {
    harness: name,
    program,
    version,
    installed,
    binary,
    canaryRefused: inspection.line === null ? null : !canary.some(({ what }) => what.startsWith("THE GATE")),
    problems: installed ? problems : [],
    notes: [...notesOn(entry, program, inspection), ...unversioned(program, version)],
  };
}

function notesOn(entry: HarnessEntry, program: string | null, inspection: Inspection): readonly string[] {
  if (inspection.installed)
    return program === null ? [`no ${entry.program} is on PATH`, ...inspection.notes] : inspection.notes;
  return program === null ? [] : [`Tama is not installed in it: tama install ${entry.name}`];
}

function unversioned(program: string | null, version: string | null): readonly string[] {
  return program === null || version !== null ? [] : [`${program} --version tells no version; does it start?`];
}

async function versionOf(machine: Machine, program: string): Promise<string | null> {
  const asked = await machine.run([program, "--version"]);
  return asked.ok ? (/\d+\.\d+\.\d+[\w.-]*/.exec(asked.value.stdout)?.[0] ?? null) : null;
}

/** What stands in the harness's files is held against what this release would write there, for the program that is registered. */
async function staleProblems(
  machines: Machines,
  entry: HarnessEntry,
  binary: string | null,
): Promise<readonly Problem[]> {
  const harness = await entry.load();
  const scopes = entry.projectHome === undefined ? [machines.own] : [machines.own, machines.project];
  const found: Problem[] = [];
  for (const [at, scope] of scopes.entries()) {
    const there = await harness.planUninstall(scope);
    if (!there.ok || there.value.changes.length === 0) continue;
    const wanted = await harness.planInstall({ ...scope, binary: binary ?? scope.binary });
    const wayOut = `tama install ${entry.name}${at === 1 ? " --project" : ""}`;
    if (!wanted.ok) found.push({ what: wanted.cause, wayOut: "mend that file" });
    else if (wanted.value.changes.length > 0)
      found.push({
        what: `${wanted.value.changes.map(({ path }) => path).join(", ")}: not what this release would write`,
        wayOut,
      });
  }
  return found;
}

function pathProblems(machine: Machine, examined: readonly ExaminedHarness[]): readonly Problem[] {
  const binaries = [...new Set(examined.flatMap(({ binary }) => (binary === null ? [] : [binary])))];
  const [first] = copiesOnPath(machine.environment["PATH"] ?? "");
  const named = join(machine.home, ".local", "bin");
  const missing = binaries.filter((binary) => !existsSync(binary));
  return [
    ...missing.map((binary) => ({ what: `${binary}, which agents start, is not there`, wayOut: "tama install" })),
    ...(first === undefined
      ? [
          {
            what: "no tama is on PATH, so the way out that a refusal names cannot be typed",
            wayOut: `put ${named} on PATH`,
          },
        ]
      : binaries
          .filter((binary) => existsSync(binary) && realpathSync(binary) !== realpathSync(first))
          .map((binary) => ({
            what: `a shell finds ${first}, and agents start ${binary}`,
            wayOut: `remove ${first}, or put ${named} first on PATH`,
          }))),
  ];
}
