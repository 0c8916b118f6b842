import { isAbsolute, join } from "node:path";
import { done, failed, type Result } from "../../base/result.ts";
import { withConstants } from "../extension-file.ts";
import type { Harness, InstallPlan, Machine } from "../harness.ts";
import { planFile, planWithoutFile } from "../own-file-plan.ts";
import { joinedExtension } from "./extension-text.ts";

/** OMP loads every file of its extensions folder, so one file of our own is the whole installation: no setting is touched. */
export const omp: Harness = { name: "omp", planInstall, planUninstall };

/** The first words of the file Tama owns; a file of that name without them is somebody else's. */
export const ownHeader = "// tama: owned by `tama install omp`; `tama uninstall omp` removes it";

async function planInstall(machine: Machine): Promise<Result<InstallPlan>> {
  const path = await extensionPath(machine);
  if (!path.ok) return path;
  const changes = planFile(machine, { path: path.value, header: ownHeader, text: extensionText(machine) });
  if (!changes.ok) return changes;
  const start = "OMP loads the adapter when it starts: sessions that run already go on without it.";
  return done({ harness: "omp", changes: changes.value, notes: changes.value.length === 0 ? [] : [start] });
}

async function planUninstall(machine: Machine): Promise<Result<InstallPlan>> {
  const path = await extensionPath(machine);
  if (!path.ok) return path;
  const changes = planWithoutFile(machine, path.value, ownHeader);
  if (!changes.ok) return changes;
  const notes = changes.value.length === 0 ? [] : ["OMP sessions that run already keep the adapter until they end."];
  return done({ harness: "omp", changes: changes.value, notes });
}

/** The adapter as it is written. */
export function extensionText(machine: Pick<Machine, "binary" | "release">): string {
  return withConstants(joinedExtension(), machine);
}

async function extensionPath(machine: Machine): Promise<Result<string>> {
  const folder = await agentFolder(machine);
  return folder.ok ? done(join(folder.value, "extensions", "tama.ts")) : folder;
}

/** OMP itself knows its folder best (profiles move it); without OMP the folder it would take. */
export async function agentFolder(machine: Machine): Promise<Result<string>> {
  const program = machine.which("omp");
  if (program === null) return done(machine.environment["PI_CODING_AGENT_DIR"] || join(machine.home, ".omp", "agent"));
  const asked = await machine.run([program, "config", "path"]);
  if (!asked.ok) return failed(`cannot ask OMP for its folder: ${asked.cause}`);
  const { code, stdout, stderr } = asked.value;
  const folder = stdout.trim();
  if (code === 0 && isAbsolute(folder) && !folder.includes("\n")) return done(folder);
  const said = stderr.trim() || folder || "nothing";
  return failed(`${program} config path did not name OMP's folder (exit ${code ?? "by a signal"}): ${said}`);
}
