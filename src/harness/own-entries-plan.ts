import { dirname } from "node:path";
import * as v from "valibot";
import { sha256 } from "../base/digest.ts";
import { done, failed, type Result } from "../base/result.ts";
import type { FileChange, Machine } from "./harness.ts";
import { type KeptRecord, originalFields, originalOf, readKept } from "./kept-original.ts";
import { missingFolders } from "./made-folders.ts";

/** One settings file of an agent in which Tama keeps entries of its own, and how they are put in and taken out as text. */
export interface EntriesFile {
  readonly harness: string;
  readonly path: string;
  readonly withOwn: (text: string) => Result<string>;
  readonly withoutOwn: (text: string) => Result<string>;
}

/** What a plan would change, and the file's text after it. */
export interface EntriesPlan {
  readonly changes: readonly FileChange[];
  readonly after: string;
}

/**
 * Puts Tama's entries into the file. What the file was before is kept in TAMA_HOME: as long as nobody changed it since, an uninstallation
 * gives back those very bytes; where somebody did, only Tama's entries are taken out.
 */
export function planEntries(machine: Machine, file: EntriesFile): Result<EntriesPlan> {
  const here = look(machine, file);
  if (!here.ok) return here;
  const { current, kept } = here.value;
  const after = file.withOwn(current ?? "");
  if (!after.ok) return failed(`${file.path} ${after.cause}; nothing was changed`);
  if (after.value === current) return done({ changes: [], after: after.value });
  const original = originalOf(current, kept.value, file.withoutOwn);
  if (!original.ok) return failed(`${file.path} ${original.cause}; nothing was changed`);
  const state: Kept = {
    file: file.path,
    wrote: sha256(after.value),
    before: original.value,
    made: kept.value?.made ?? [...missingFolders(dirname(file.path))],
  };
  const changes: FileChange[] = [
    { path: kept.path, before: kept.text, after: `${JSON.stringify(state, null, 1)}\n` },
    { path: file.path, before: current, after: after.value },
  ];
  return done({ changes, after: after.value });
}

/** Takes them out again, with what was kept and the folders that installing made. */
export function planWithoutEntries(machine: Machine, file: EntriesFile): Result<readonly FileChange[]> {
  const here = look(machine, file);
  if (!here.ok) return here;
  const { current, kept } = here.value;
  const original = originalOf(current, kept.value, file.withoutOwn);
  if (!original.ok) return failed(`${file.path} ${original.cause}; nothing was changed`);
  const changes: FileChange[] = [];
  if (original.value !== current)
    changes.push({ path: file.path, before: current, after: original.value, emptied: kept.value?.made ?? [] });
  const emptied = [dirname(kept.path), dirname(dirname(kept.path))];
  if (kept.text !== null) changes.push({ path: kept.path, before: kept.text, after: null, emptied });
  return done(changes);
}

/** `file`: the file that was changed. */
const keptSchema = v.object({ file: v.string(), ...originalFields });
type Kept = v.InferOutput<typeof keptSchema>;

interface Here {
  readonly current: string | null;
  readonly kept: KeptRecord<Kept>;
}

function look(machine: Machine, { harness, path }: EntriesFile): Result<Here> {
  const current = machine.read(path);
  if (!current.ok) return current;
  const kept = readKept(machine, keptSchema, { harness, file: path, what: `${path} was` });
  return kept.ok ? done({ current: current.value, kept: kept.value }) : kept;
}
