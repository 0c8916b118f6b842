import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { sha256 } from "../base/digest.ts";
import { done, failed, type Result } from "../base/result.ts";
import type { FileChange, Machine } from "./harness.ts";

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
  const original = originalOf(file, current, kept.value);
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
  const original = originalOf(file, current, kept.value);
  if (!original.ok) return failed(`${file.path} ${original.cause}; nothing was changed`);
  const changes: FileChange[] = [];
  if (original.value !== current)
    changes.push({ path: file.path, before: current, after: original.value, emptied: kept.value?.made ?? [] });
  const emptied = [dirname(kept.path), dirname(dirname(kept.path))];
  if (kept.text !== null) changes.push({ path: kept.path, before: kept.text, after: null, emptied });
  return done(changes);
}

const keptSchema = v.object({
  /** The file that was changed. */
  file: v.string(),
  /** sha256 of the text that was written. */
  wrote: v.string(),
  /** The file's text before; null = there was none. */
  before: v.nullable(v.string()),
  /** Folders that had to be made, innermost first. */
  made: v.array(v.string()),
});
type Kept = v.InferOutput<typeof keptSchema>;

interface Here {
  readonly current: string | null;
  readonly kept: { readonly path: string; readonly text: string | null; readonly value: Kept | null };
}

function look(machine: Machine, { harness, path }: EntriesFile): Result<Here> {
  const current = machine.read(path);
  if (!current.ok) return current;
  const name = `${harness}-${sha256(path).slice(0, 12)}.json`;
  const keptPath = join(machine.environment["TAMA_HOME"] || join(machine.home, ".tama"), "install", name);
  const text = machine.read(keptPath);
  if (!text.ok) return text;
  const kept = text.value === null ? done(null) : readKept(text.value);
  if (!kept.ok) return failed(`${keptPath} ${kept.cause}; it keeps what ${path} was. Move it away to go on without it`);
  return done({ current: current.value, kept: { path: keptPath, text: text.value, value: kept.value } });
}

function readKept(text: string): Result<Kept> {
  try {
    const parsed = v.safeParse(keptSchema, JSON.parse(text));
    return parsed.success ? done(parsed.output) : failed("is not what Tama wrote");
  } catch {
    return failed("is no JSON");
  }
}

/** The file as it would be had Tama never been installed. */
function originalOf(file: EntriesFile, current: string | null, kept: Kept | null): Result<string | null> {
  if (current === null) return done(null);
  return kept !== null && sha256(current) === kept.wrote ? done(kept.before) : file.withoutOwn(current);
}

function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) || dirname(folder) === folder ? [] : [folder, ...missingFolders(dirname(folder))];
}
