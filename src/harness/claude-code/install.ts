import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { sha256 } from "../../base/digest.ts";
import { done, failed, type Result } from "../../base/result.ts";
import type { FileChange, Harness, InstallPlan, Machine } from "../harness.ts";
import { parseHooksFile } from "../hook-groups.ts";
import { wantedGroups } from "./entries.ts";
import { keptPath, userSettings } from "./kept-settings.ts";
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
  const notes = [...(await notesOn(machine)), ...switchedOff(settings, after.value)];
  if (after.value === current) return done({ harness: "claude-code", changes: [], notes });
  const original = originalOf(current, kept.value);
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
  const original = current === null ? done(null) : originalOf(current, kept.value);
  if (!original.ok) return failed(`${settings} ${original.cause}; nothing was changed`);
  const changes: FileChange[] = [];
  if (original.value !== current) {
    changes.push({ path: settings, before: current, after: original.value, emptied: kept.value?.made ?? [] });
  }
  const emptied = [dirname(kept.path), dirname(dirname(kept.path))];
  if (kept.text !== null) changes.push({ path: kept.path, before: kept.text, after: null, emptied });
  return done({ harness: "claude-code", changes, notes: [] });
}

const keptSchema = v.object({
  /** The file that was changed. */
  settings: v.string(),
  /** sha256 of the text that was written. */
  wrote: v.string(),
  /** The file's text before; null = there was none. */
  before: v.nullable(v.string()),
  /** Folders that had to be made, innermost first. */
  made: v.array(v.string()),
});
type Kept = v.InferOutput<typeof keptSchema>;

interface Here {
  readonly settings: string;
  readonly current: string | null;
  /** What an earlier installation kept of this file. */
  readonly kept: { readonly path: string; readonly text: string | null; readonly value: Kept | null };
}

function look(machine: Machine): Result<Here> {
  const { environment, home } = machine;
  const settings = userSettings(environment, home);
  const current = machine.read(settings);
  if (!current.ok) return current;
  const path = keptPath(environment["TAMA_HOME"] || join(home, ".tama"), settings);
  const text = machine.read(path);
  if (!text.ok) return text;
  const kept = text.value === null ? done(null) : readKept(text.value);
  if (!kept.ok)
    return failed(`${path} ${kept.cause}; it keeps what your settings were. Move it away to go on without it`);
  return done({ settings, current: current.value, kept: { path, text: text.value, value: kept.value } });
}

function readKept(text: string): Result<Kept | null> {
  try {
    const parsed = v.safeParse(keptSchema, JSON.parse(text));
    return parsed.success ? done(parsed.output) : failed("is not what Tama wrote");
  } catch {
    return failed("is no JSON");
  }
}

/** The file as it would be had Tama never been installed. */
function originalOf(current: string | null, kept: Kept | null): Result<string | null> {
  if (current === null) return done(null);
  return kept !== null && sha256(current) === kept.wrote ? done(kept.before) : withoutOwnEntries(current);
}

/** The version every statement about Claude Code in this room was measured with. */
const measured = "2.1.332";

async function notesOn(machine: Machine): Promise<readonly string[]> {
  const program = machine.which("claude");
  if (program === null) return ["No claude is on PATH; Tama answers it once it is there."];
  const asked = await machine.run([program, "--version"]);
  const version = asked.ok ? /\d+\.\d+\.\d+/.exec(asked.value.stdout)?.[0] : undefined;
  if (version === undefined || Bun.semver.order(version, measured) >= 0) return [];
  return [
    `This Claude Code is ${version}; Tama was proven with ${measured}. Older ones let a tool run when its hook breaks, and may not know every event: update it.`,
  ];
}

function switchedOff(settings: string, text: string): readonly string[] {
  return parseHooksFile(text)["disableAllHooks"] === true
    ? [`${settings} says "disableAllHooks": true, so Claude Code runs no hook, Tama's neither.`]
    : [];
}

function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) || dirname(folder) === folder ? [] : [folder, ...missingFolders(dirname(folder))];
}
