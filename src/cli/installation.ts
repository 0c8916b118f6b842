import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { release } from "../base/release.ts";
import { done, failed, type Result } from "../base/result.ts";
import { applyPlan, readThroughLinks } from "../harness/apply-plan.ts";
import type { InstallPlan, Machine } from "../harness/harness.ts";
import { type HarnessEntry, harnesses } from "../harness/harnesses.ts";
import {
  type BinaryPlan,
  placeBinary,
  placedBinary,
  planBinary,
  removeBinary,
  stillInstalled,
} from "../harness/place-binary.ts";
import { scrubbed } from "../process/environment.ts";
import { findProgram } from "../process/find-program.ts";
import { runCommand } from "../process/run-command.ts";
import type { Context, Given } from "./command.ts";
import { didYouMean } from "./nearest-word.ts";
import { type Notes, openNotes } from "./notes.ts";

type Change = "install" | "uninstall";
type PlannedChange = InstallPlan["changes"][number];

/** The flags of both commands; a flag one of them does not take is never given. */
export interface Wishes {
  readonly named: readonly string[];
  readonly planOnly: boolean;
  /** The settings of the folder the person stands in, instead of their own. */
  readonly project: boolean;
  /** Leave the binary where it is. */
  readonly noBinary: boolean;
  readonly trust: boolean;
}

export function wishesOf(given: Given): Wishes {
  return {
    named: given.words,
    planOnly: given.flag("plan"),
    project: given.flag("project"),
    noBinary: given.flag("no-binary"),
    trust: given.flag("trust"),
  };
}

/** `tama install` and `tama uninstall`: plans for the named harnesses, or for all that are here, shown or made true. */
export async function changeInstallation(context: Context, change: Change, wishes: Wishes): Promise<number> {
  const machine = machineOf(context, wishes);
  const chosen = choose(machine, change, wishes);
  const binary = chosen.ok && change === "install" ? wantedBinary(context, machine, wishes) : done(null);
  if (!chosen.ok || !binary.ok) {
    context.err(`${change}: ${chosen.ok ? (binary.ok ? "" : binary.cause) : chosen.cause}\n`);
    return 1;
  }
  const notes = openNotes();
  if (!tellBinary(context, binary.value, wishes.planOnly, notes)) return 1;
  const there = { ...machine, binary: binary.value?.path ?? machine.binary };
  let code = 0;
  const changes: PlannedChange[] = [];
  for (const entry of chosen.value) {
    const made = await changeOne(context, there, change, entry, wishes.planOnly, notes);
    if (made === null) code = 1;
    else changes.push(...made);
  }
  if (wishes.planOnly && changes.length > 0) context.out(inShort(change, changes, placedBinary(context.home.root)));
  if (change === "uninstall" && code === 0 && !wishes.planOnly) code = await takeBinaryOut(context, machine);
  return code;
}

function choose(machine: Machine, change: Change, { named, project }: Wishes): Result<readonly HarnessEntry[]> {
  const known = harnesses.map((entry) => entry.name).join(", ");
  const unknown = named.find((name) => !harnesses.some((entry) => entry.name === name));
  if (unknown !== undefined)
    return failed(`there is no harness ${JSON.stringify(unknown)}${meant(unknown)}; there are ${known}`);
  if (project) return chooseForProject(named);
  if (named.length > 0) return done(harnesses.filter((entry) => named.includes(entry.name)));
  if (change === "uninstall") return done(harnesses);
  const here = harnesses.filter((entry) => machine.which(entry.program) !== null);
  return here.length > 0
    ? done(here)
    : failed(
        `none of ${harnesses.map((entry) => entry.program).join(", ")} is on PATH; name a harness to install for all the same: ${known}`,
      );
}

/** A person may say the agent's program (claude), or nearly its name. */
function meant(unknown: string): string {
  const program = harnesses.find((entry) => entry.program === unknown)?.name;
  if (program !== undefined) return `; did you mean ${program}?`;
  return didYouMean(
    unknown,
    harnesses.map(({ name }) => name),
  );
}

function chooseForProject(named: readonly string[]): Result<readonly HarnessEntry[]> {
  const able = harnesses.filter((entry) => entry.projectHome !== undefined);
  const unable = named.find((name) => !able.some((entry) => entry.name === name));
  if (unable === undefined) return done(able.filter((entry) => named.length === 0 || named.includes(entry.name)));
  return failed(
    `${unable} is not installed for one folder: what a folder brings, the agent runs only once the person trusts that folder. Install it for yourself, without --project`,
  );
}

/** Null where the binary stays where it is. */
function wantedBinary(context: Context, machine: Machine, wishes: Wishes): Result<BinaryPlan | null> {
  if (wishes.noBinary) return done(null);
  return planBinary({
    running: machine.binary,
    userHome: context.userHome,
    tamaHome: context.home.root,
    path: context.environment["PATH"] ?? "",
  });
}

/** Shows the binary's plan or makes it true; false when that failed. */
function tellBinary(context: Context, plan: BinaryPlan | null, planOnly: boolean, notes: Notes): boolean {
  if (plan === null) return true;
  if (plan.change !== "none" && planOnly)
    context.out(
      `tama: would ${plan.change === "new" ? "put" : "replace"} the program at ${plan.path}, a copy of ${plan.source}\n`,
    );
  if (plan.change !== "none" && !planOnly) {
    const placed = placeBinary(plan);
    if (!placed.ok) {
      context.err(`install: ${placed.cause}\n`);
      return false;
    }
    context.out(`tama: ${plan.change === "new" ? "put" : "replaced"} the program at ${plan.path}\n`);
  }
  for (const note of plan.notes) notes.note(note);
  return true;
}

async function changeOne(
  context: Context,
  machine: Machine,
  change: Change,
  entry: HarnessEntry,
  planOnly: boolean,
  notes: Notes,
): Promise<readonly PlannedChange[] | null> {
  const harness = await entry.load();
  const plan = await (change === "install" ? harness.planInstall(machine) : harness.planUninstall(machine));
  const made = plan.ok && !planOnly ? applyPlan(plan.value) : plan;
  if (!plan.ok || !made.ok) {
    context.err(`${change}: ${entry.name}: ${made.ok ? "" : made.cause}\n`);
    return null;
  }
  context.out(planOnly ? shown(plan.value) : told(change, plan.value));
  for (const note of plan.value.notes) notes.note(note);
  return plan.value.changes;
}

/** The end of a plan, below its diffs: an adapter alone is longer than a screen. */
function inShort(change: Change, changes: readonly PlannedChange[], placed: ReturnType<typeof placedBinary>): string {
  const rows = changes.map(({ path, before, after }) => {
    const lines = (after ?? "").split("\n").length - 1;
    return after === null ? `remove ${path}` : before === null ? `write ${path} (${lines} lines)` : `change ${path}`;
  });
  if (change === "uninstall" && placed.ok && placed.value !== null)
    rows.push(`remove ${placed.value}, once no agent starts it`);
  return `\ntama ${change} would\n${rows.map((row) => `  ${row}\n`).join("")}nothing was written\n`;
}

/** The binary goes with the last harness that names it; until then it stays, and what still names it is said. */
async function takeBinaryOut(context: Context, machine: Machine): Promise<number> {
  const tamaHome = context.home.root;
  const placed = placedBinary(tamaHome);
  const kept = stillInstalled(tamaHome);
  if (!placed.ok || !kept.ok) {
    context.err(`uninstall: ${placed.ok ? (kept.ok ? "" : kept.cause) : placed.cause}\n`);
    return 1;
  }
  if (placed.value === null) return 0;
  const users = new Set(kept.value.map((name) => name.replace(/(-[0-9a-f]{12})?\.json$/, "")));
  for (const entry of harnesses) {
    const inspect = await entry.inspect();
    const { installed, binary } = await inspect(machine);
    if (installed && (binary === null || binary === placed.value)) users.add(entry.name);
  }
  if (users.size > 0) {
    context.out(
      `tama: ${placed.value} stays: ${[...users].join(", ")} still ${users.size === 1 ? "starts" : "start"} it\n`,
    );
    return 0;
  }
  const removed = removeBinary(tamaHome);
  if (!removed.ok) context.err(`uninstall: ${removed.cause}\n`);
  else context.out(`tama: removed ${placed.value}\n`);
  return removed.ok ? 0 : 1;
}

function shown(plan: InstallPlan): string {
  if (plan.changes.length === 0) return `${plan.harness}: nothing would change\n`;
  const diffs = plan.changes.map((change) =>
    createTwoFilesPatch(
      change.before === null ? "/dev/null" : change.path,
      change.after === null ? "/dev/null" : change.path,
      change.before ?? "",
      change.after ?? "",
    ),
  );
  return `${plan.harness}: this would change\n${diffs.join("")}`;
}

function told(change: Change, plan: InstallPlan): string {
  if (plan.changes.length === 0)
    return `${plan.harness}: ${change === "install" ? "already installed" : "was not installed"}; nothing changed\n`;
  const files = plan.changes.map(
    (one) => `  ${one.after === null ? "removed" : one.before === null ? "wrote" : "changed"} ${one.path}\n`,
  );
  return `${plan.harness}: ${change}ed\n${files.join("")}`;
}

/** The machine as the harness rooms see it. For a project each harness's own home is the folder's. */
export function machineOf(context: Context, { project, trust }: Pick<Wishes, "project" | "trust">): Machine {
  const homes = harnesses.flatMap(({ projectHome }) =>
    project && projectHome !== undefined
      ? [[projectHome.variable, join(context.cwd, projectHome.folder)] as const]
      : [],
  );
  const environment = scrubbed(context.environment);
  return {
    binary: context.program[0] ?? "",
    release,
    home: context.userHome,
    environment: { ...context.environment, ...Object.fromEntries(homes) },
    which: (program) => findProgram(program, context.environment["PATH"] ?? ""),
    run: (command, withinMs) => runCommand({ command, environment }, withinMs),
    read: readThroughLinks,
    trust,
  };
}
