import { join } from "node:path";
import { done, type Result } from "../../base/result.ts";
import type { Harness, InstallPlan, Machine } from "../harness.ts";
import { readHooksFile, withOwnGroups, withoutOwnEntries } from "../hook-groups.ts";
import { withoutComments } from "../json-places.ts";
import { type EntriesFile, planEntries, planWithoutEntries } from "../own-entries-plan.ts";
import { notesOnVersion, type Proven } from "../proven-version.ts";
import { hookName, isOwnEntry, wantedGroups } from "./entries.ts";
import { geminiHome, switchedOff } from "./settings-file.ts";

/** Gemini CLI starts hooks from the person's settings.json, in which it takes comments. So Tama's installation is entries in that file. */
export const gemini: Harness = { name: "gemini", planInstall, planUninstall };

async function planInstall(machine: Machine): Promise<Result<InstallPlan>> {
  const file = settingsOf(machine);
  const plan = planEntries(machine, file);
  if (!plan.ok) return plan;
  const { changes, after } = plan.value;
  const settings = readHooksFile(withoutComments(after));
  const off = settings.ok ? switchedOff(settings.value, hookName) : [];
  const notes = [
    ...(await notesOnVersion(machine, measured)),
    ...off.map((setting) => `${file.path} says ${setting}, so Gemini CLI does not run Tama's hooks.`),
    ...(changes.length === 0
      ? []
      : ["Gemini CLI reads its hooks when it starts: sessions that run already go on without."]),
  ];
  return done({ harness: "gemini", changes, notes });
}

async function planUninstall(machine: Machine): Promise<Result<InstallPlan>> {
  const changes = planWithoutEntries(machine, settingsOf(machine));
  return changes.ok ? done({ harness: "gemini", changes: changes.value, notes: [] }) : changes;
}

function settingsOf(machine: Machine): EntriesFile {
  return {
    harness: "gemini",
    path: join(geminiHome(machine), "settings.json"),
    withOwn: (text) => withOwnGroups(text, wantedGroups(machine.binary), isOwnEntry, withoutComments),
    withoutOwn: (text) => withoutOwnEntries(text, isOwnEntry, withoutComments),
  };
}

const measured: Proven = {
  name: "Gemini CLI",
  program: "gemini",
  version: "0.61.0",
  older: ", and older ones may not ask at every event",
};
