import { join } from "node:path";
import { done, type Result } from "../../base/result.ts";
import { withConstants } from "../extension-file.ts";
import type { Harness, InstallPlan, Machine } from "../harness.ts";
import { planFile, planWithoutFile } from "../own-file-plan.ts";
import { joinedPiExtension } from "./extension-text.ts";

/** pi loads every file of its extensions folder, so one file of our own is the whole installation: no setting is touched. */
export const pi: Harness = { name: "pi", planInstall, planUninstall };

export const ownHeader = "// tama: owned by `tama install pi`; `tama uninstall pi` removes it";

async function planInstall(machine: Machine): Promise<Result<InstallPlan>> {
  const text = extensionText(machine);
  const changes = planFile(machine, { path: extensionPath(machine), header: ownHeader, text });
  if (!changes.ok) return changes;
  const start = "pi loads the adapter when it starts, or on /reload: sessions that run already go on without it.";
  return done({ harness: "pi", changes: changes.value, notes: changes.value.length === 0 ? [] : [start] });
}

async function planUninstall(machine: Machine): Promise<Result<InstallPlan>> {
  const changes = planWithoutFile(machine, extensionPath(machine), ownHeader);
  if (!changes.ok) return changes;
  const notes = changes.value.length === 0 ? [] : ["pi sessions that run already keep the adapter until they end."];
  return done({ harness: "pi", changes: changes.value, notes });
}

/** The adapter as it is written. */
export function extensionText(machine: Pick<Machine, "binary" | "release">): string {
  return withConstants(joinedPiExtension(), machine);
}

export function extensionPath(machine: Pick<Machine, "environment" | "home">): string {
  return join(agentFolder(machine), "extensions", "tama.ts");
}

/** pi's folder. OMP, which comes from pi, reads the same variable; where it is set, both have one folder and one Tama file. */
export function agentFolder({ environment, home }: Pick<Machine, "environment" | "home">): string {
  return environment["PI_CODING_AGENT_DIR"] || join(home, ".pi", "agent");
}
