import { dirname } from "node:path";
import * as v from "valibot";
import { sha256 } from "../../base/digest.ts";
import { done, failed, type Result } from "../../base/result.ts";
import type { FileChange, Harness, InstallPlan, Machine } from "../harness.ts";
import { parseHooksFile } from "../hook-groups.ts";
import { type KeptRecord, originalFields, originalOf, readKept } from "../kept-original.ts";
import { missingFolders } from "../made-folders.ts";
import { notesOnVersion, type Proven } from "../proven-version.ts";
import { wantedGroups } from "./entries.ts";
import { userSettings } from "./settings-places.ts";
import { withOwnGroups, withoutOwnEntries } from "./settings-text.ts";

/**
 * Claude Code starts hooks from its settings file, so Tama's installation is entries in a person's own file. What the file was before lies
 * beside it in TAMA_HOME: as long as nobody changed it since, an uninstallation gives back those very bytes; where somebody did, only
 * Tama's entries are taken out.
 */
export const claudeCode: Harness = { name: "claude-code", planInstall, planUninstall };

async function planInstall(machine: Machine): Promise<Result<InstallPlan>> {
  const here = look(machine);
  if (!here.ok) return here;
  const { settings, current, kept } = here.value;
  const after = withOwnGroups(current ?? "", wantedGroups(machine.binary));
  if (!after.ok) return failed(`${settings} ${after.cause}; nothing was changed`);
  const notes = [...(await notesOnVersion(machine, measured)), ...switchedOff(settings, after.value)];
  if (after.value === current) return done({ harness: "claude-code", changes: [], notes });
  const original = originalOf(current, kept.value, withoutOwnEntries);
  if (!original.ok) return failed(`${settings} ${original.cause}; nothing was changed`);
  const state: Kept = {
    settings,
    wrote: sha256(after.value),
    before: original.value,
    made: kept.value?.made ?? [...missingFolders(dirname(settings))],
  };
  const changes: FileChange[] = [
    { path: kept.path, before: kept.text, after: `${JSON.stringify(state, null, 1)}\n` },
    { path: settings, before: current, after: after.value },
  ];
  const start = "Sessions of Claude Code that run already take the hooks up by themselves, at their next turn.";
  return done({ harness: "claude-code", changes, notes: [...notes, start] });
}

async function planUninstall(machine: Machine): Promise<Result<InstallPlan>> {
  const here = look(machine);
  if (!here.ok) return here;
  const { settings, current, kept } = here.value;
  const original = originalOf(current, kept.value, withoutOwnEntries);
  if (!original.ok) return failed(`${settings} ${original.cause}; nothing was changed`);
  const changes: FileChange[] = [];
  if (original.value !== current) {
    changes.push({ path: settings, before: current, after: original.value, emptied: kept.value?.made ?? [] });
  }
  const emptied = [dirname(kept.path), dirname(dirname(kept.path))];
  if (kept.text !== null) changes.push({ path: kept.path, before: kept.text, after: null, emptied });
  return done({ harness: "claude-code", changes, notes: [] });
}

/** `settings`: the file that was changed. */
const keptSchema = v.object({ settings: v.string(), ...originalFields });
type Kept = v.InferOutput<typeof keptSchema>;

interface Here {
  readonly settings: string;
  readonly current: string | null;
  /** What an earlier installation kept of this file. */
  readonly kept: KeptRecord<Kept>;
}

function look(machine: Machine): Result<Here> {
  const { environment, home } = machine;
  const settings = userSettings(environment, home);
  const current = machine.read(settings);
  if (!current.ok) return current;
  const kept = readKept(machine, keptSchema, { harness: "claude-code", file: settings, what: "your settings were" });
  return kept.ok ? done({ settings, current: current.value, kept: kept.value }) : kept;
}

const measured: Proven = {
  name: "Claude Code",
  program: "claude",
  version: "2.1.332",
  older: ". Older ones let a tool run when its hook breaks, and may not know every event",
};

function switchedOff(settings: string, text: string): readonly string[] {
  return parseHooksFile(text)["disableAllHooks"] === true
    ? [`${settings} says "disableAllHooks": true, so Claude Code runs no hook, Tama's neither.`]
    : [];
}
