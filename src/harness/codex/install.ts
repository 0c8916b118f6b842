import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { sha256 } from "../../base/digest.ts";
import { done, failed, type Result } from "../../base/result.ts";
import type { FileChange, Harness, InstallPlan, Machine } from "../harness.ts";
import { type KeptRecord, originalFields, originalOf, readKept } from "../kept-original.ts";
import { missingFolders } from "../made-folders.ts";
import { notesOnVersion, type Proven } from "../proven-version.ts";
import { wantedGroups } from "./entries.ts";
import { strangeKeys, withOwnGroups, withoutOwnEntries } from "./hooks-file.ts";
import { hooksSwitchedOff, trustBlock, trustOf } from "./trust.ts";

/**
 * Codex starts hooks from `hooks.json` in its home. What that file was before lies in TAMA_HOME: as long as nobody changed it since, an
 * uninstallation gives back those very bytes; where somebody did, only Tama's entries are taken out. Codex's config.toml is touched by
 * `--trust` alone.
 */
export const codex: Harness = { name: "codex", planInstall, planUninstall };

async function planInstall(machine: Machine): Promise<Result<InstallPlan>> {
  const here = look(machine);
  if (!here.ok) return here;
  const { hooks, kept } = here.value;
  const after = withOwnGroups(hooks.text ?? "", wantedGroups(machine.binary));
  if (!after.ok) return failed(`${hooks.path} ${after.cause}; nothing was changed`);
  const config = configAfter(here.value, after.value, machine);
  if (!config.ok) return failed(`${here.value.config.path} ${config.cause}; nothing was changed`);
  const original = originalOf(hooks.text, kept.value, withoutOwnEntries);
  if (!original.ok) return failed(`${hooks.path} ${original.cause}; nothing was changed`);
  const { text, trust } = config.value;
  const files: FileChange[] = [
    { path: hooks.path, before: hooks.text, after: after.value },
    { path: here.value.config.path, before: here.value.config.text, after: text },
  ];
  const changes = files.filter((file) => file.before !== file.after);
  if (changes.length > 0) {
    const state: Kept = {
      hooks: hooks.path,
      wrote: sha256(after.value),
      before: original.value,
      made: kept.value?.made ?? [...missingFolders(dirname(hooks.path))],
      trust,
      madeConfig: kept.value?.madeConfig === true || (text !== null && here.value.config.text === null),
    };
    changes.unshift({ path: kept.path, before: kept.text, after: `${JSON.stringify(state, null, 1)}\n` });
  }
  const notes = [
    ...(await notesOnVersion(machine, measured)),
    ...strangeNotes(here.value),
    ...trustNotes(here.value, after.value, text, machine),
  ];
  return done({ harness: "codex", changes, notes });
}

/** Codex's settings as they are to be, and what of them is Tama's. Only `--trust` changes them, and only what Tama wrote or nobody did. */
function configAfter(
  { hooks, config, kept }: Here,
  hooksAfter: string,
  machine: Machine,
): Result<{ readonly text: string | null; readonly trust: string }> {
  const own = kept.value?.trust ?? "";
  const as = { text: config.text, trust: own };
  if (machine.trust !== true) return done(as);
  const wanted = wantedGroups(machine.binary);
  const states = trustOf(hooksAfter, hooks.real, config.text, wanted);
  if (!states.ok) return states;
  if (states.value.every(({ state }) => state === "trusted")) return done(as);
  const bare = own === "" ? (config.text ?? "") : (config.text ?? "").replace(own, () => "");
  const block = trustBlock(hooksAfter, hooks.real, bare, wanted);
  return block.ok ? done({ text: bare + block.value, trust: block.value }) : block;
}

async function planUninstall(machine: Machine): Promise<Result<InstallPlan>> {
  const here = look(machine);
  if (!here.ok) return here;
  const { hooks, config, kept } = here.value;
  const original = originalOf(hooks.text, kept.value, withoutOwnEntries);
  if (!original.ok) return failed(`${hooks.path} ${original.cause}; nothing was changed`);
  const changes: FileChange[] = [];
  const made = kept.value?.made ?? [];
  const trust = kept.value?.trust ?? "";
  if (config.text !== null && trust !== "" && config.text.includes(trust)) {
    const rest = config.text.replace(trust, () => "");
    const after = rest === "" && kept.value?.madeConfig === true ? null : rest;
    changes.push({ path: config.path, before: config.text, after });
  }
  if (original.value !== hooks.text)
    changes.push({ path: hooks.path, before: hooks.text, after: original.value, emptied: made });
  const emptied = [dirname(kept.path), dirname(dirname(kept.path))];
  if (kept.text !== null) changes.push({ path: kept.path, before: kept.text, after: null, emptied });
  return done({ harness: "codex", changes, notes: [] });
}

const keptSchema = v.object({
  /** The file that was changed. */
  hooks: v.string(),
  ...originalFields,
  /** What `--trust` put behind config.toml; empty = nothing. */
  trust: v.string(),
  madeConfig: v.boolean(),
});
type Kept = v.InferOutput<typeof keptSchema>;

interface Here {
  /** `real`: with links resolved, as Codex names it in its table of trust. */
  readonly hooks: { readonly path: string; readonly real: string; readonly text: string | null };
  readonly config: { readonly path: string; readonly text: string | null };
  readonly kept: KeptRecord<Kept>;
}

function look(machine: Machine): Result<Here> {
  const folder = codexHome(machine);
  const hooksPath = join(folder, "hooks.json");
  const hooks = machine.read(hooksPath);
  if (!hooks.ok) return hooks;
  const configPath = join(folder, "config.toml");
  const config = machine.read(configPath);
  if (!config.ok) return config;
  const kept = readKept(machine, keptSchema, { harness: "codex", file: hooksPath, what: "your hooks were" });
  if (!kept.ok) return kept;
  return done({
    hooks: { path: hooksPath, real: join(realFolder(folder), "hooks.json"), text: hooks.value },
    config: { path: configPath, text: config.value },
    kept: kept.value,
  });
}

/** The folder Codex keeps everything in. */
export function codexHome(machine: Pick<Machine, "environment" | "home">): string {
  return machine.environment["CODEX_HOME"] || join(machine.home, ".codex");
}

function realFolder(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

const measured: Proven = {
  name: "Codex",
  program: "codex",
  version: "0.171.0",
  older: ", and older ones may not ask at every event",
};

function strangeNotes({ hooks }: Here): readonly string[] {
  const keys = strangeKeys(hooks.text ?? "");
  if (keys.length === 0) return [];
  const named = keys.map((key) => JSON.stringify(key)).join(", ");
  return [`${hooks.path} holds ${named} beside "hooks"; Codex drops the whole file for a key it does not know.`];
}

function trustNotes(
  { hooks, config }: Here,
  text: string,
  configText: string | null,
  machine: Machine,
): readonly string[] {
  if (hooksSwitchedOff(configText))
    return [`${config.path} says hooks = false under [features], so Codex runs no hook.`];
  const states = trustOf(text, hooks.real, configText, wantedGroups(machine.binary));
  if (!states.ok) return [`${config.path} ${states.cause}, so whether Codex trusts Tama's hooks is not known.`];
  return states.value.every(({ state }) => state === "trusted") ? [] : [trustWayOut];
}

/** The person's own act, and the one way to do it without looking. */
export const trustWayOut =
  "Codex runs Tama's hooks only once you trust them: start codex, choose Review hooks (or type /hooks), and trust Tama's. Without a terminal: tama install codex --trust. `codex exec` says nothing of hooks it leaves out; tama doctor does.";
