import { createTwoFilesPatch } from "diff";
import { release } from "../base/release.ts";
import { failed, type Result } from "../base/result.ts";
import { applyPlan, readThroughLinks } from "../harness/apply-plan.ts";
import type { InstallPlan, Machine } from "../harness/harness.ts";
import { type HarnessEntry, harnesses } from "../harness/harnesses.ts";
import { scrubbed } from "../process/environment.ts";
import { findProgram } from "../process/find-program.ts";
import { runCommand } from "../process/run-command.ts";
import type { Context } from "./command.ts";
import { openNotes } from "./notes.ts";

type Change = "install" | "uninstall";

/** `tama install` and `tama uninstall`: plans for the named harnesses, or for all that are here, shown or made true. */
export async function changeInstallation(
  context: Context,
  change: Change,
  named: readonly string[],
  planOnly: boolean,
): Promise<number> {
  const machine = machineOf(context);
  const chosen = choose(machine, change, named);
  if (!chosen.ok) {
    context.err(`${change}: ${chosen.cause}\n`);
    return 1;
  }
  let code = 0;
  for (const entry of chosen.value) {
    const done = await changeOne(context, machine, change, entry, planOnly);
    if (!done) code = 1;
  }
  return code;
}

function choose(machine: Machine, change: Change, named: readonly string[]): Result<readonly HarnessEntry[]> {
  const known = harnesses.map((entry) => entry.name).join(", ");
  const unknown = named.find((name) => !harnesses.some((entry) => entry.name === name));
  if (unknown !== undefined) return failed(`there is no harness ${JSON.stringify(unknown)}; there are ${known}`);
  if (named.length > 0) return { ok: true, value: harnesses.filter((entry) => named.includes(entry.name)) };
  if (change === "uninstall") return { ok: true, value: harnesses };
  const here = harnesses.filter((entry) => machine.which(entry.program) !== null);
  return here.length > 0
    ? { ok: true, value: here }
    : failed(
        `none of ${harnesses.map((entry) => entry.program).join(", ")} is on PATH; name a harness to install for all the same: ${known}`,
      );
}

async function changeOne(
  context: Context,
  machine: Machine,
  change: Change,
  entry: HarnessEntry,
  planOnly: boolean,
): Promise<boolean> {
  const harness = await entry.load();
  const plan = await (change === "install" ? harness.planInstall(machine) : harness.planUninstall(machine));
  const made = plan.ok && !planOnly ? applyPlan(plan.value) : plan;
  if (!plan.ok || !made.ok) {
    context.err(`${change}: ${entry.name}: ${made.ok ? "" : made.cause}\n`);
    return false;
  }
  context.out(planOnly ? shown(plan.value) : told(change, plan.value));
  const notes = openNotes();
  for (const note of plan.value.notes) notes.note(note);
  return true;
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

function machineOf(context: Context): Machine {
  const environment = scrubbed(context.environment);
  return {
    binary: context.program[0] ?? "",
    release,
    home: context.userHome,
    environment: context.environment,
    which: (program) => findProgram(program, context.environment["PATH"] ?? ""),
    run: (command) => runCommand({ command, environment }),
    read: readThroughLinks,
  };
}
