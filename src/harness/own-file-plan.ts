import { dirname } from "node:path";
import { done, failed, type Result } from "../base/result.ts";
import type { FileChange, Machine } from "./harness.ts";
import { missingFolders } from "./made-folders.ts";

/** One file of Tama's own among an agent's extensions: the whole installation. */
export interface OwnFile {
  readonly path: string;
  /** The first words of the file Tama owns; a file of that name without them is somebody else's. */
  readonly header: string;
  /** What stands below the header. */
  readonly text: string;
}

/** Writes the file; the folders that this makes are named in its second line, so that taking it out takes them too. */
export function planFile(machine: Machine, { path, header, text }: OwnFile): Result<readonly FileChange[]> {
  const before = ownText(machine, path, header);
  if (!before.ok) return before;
  const made = before.value === null ? missingFolders(dirname(path)) : foldersMade(before.value);
  const after = `${header}\n${madeMark}${JSON.stringify(made)}\n${text}`;
  return done(before.value === after ? [] : [{ path, before: before.value, after, mode: 0o644 }]);
}

export function planWithoutFile(machine: Machine, path: string, header: string): Result<readonly FileChange[]> {
  const before = ownText(machine, path, header);
  if (!before.ok) return before;
  return done(
    before.value === null ? [] : [{ path, before: before.value, after: null, emptied: foldersMade(before.value) }],
  );
}

const madeMark = "// tama: folders it made: ";

function ownText(machine: Machine, path: string, header: string): Result<string | null> {
  const before = machine.read(path);
  if (!before.ok || before.value === null || before.value.startsWith(`${header}\n`)) return before;
  return failed(`${path} is not Tama's: it lacks Tama's first line. Move it away, or rename it, and run this again`);
}

function foldersMade(text: string): readonly string[] {
  const line = text.split("\n", 2)[1] ?? "";
  if (!line.startsWith(madeMark)) return [];
  try {
    const made: unknown = JSON.parse(line.slice(madeMark.length));
    return Array.isArray(made) ? made.filter((folder) => typeof folder === "string") : [];
  } catch {
    return [];
  }
}
