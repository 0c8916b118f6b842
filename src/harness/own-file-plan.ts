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
  const other = otherAgent(before.value, header);
  if (other !== null) return failed(sharedFolder(path, other));
  const made = before.value === null ? missingFolders(dirname(path)) : foldersMade(before.value);
  const after = `${header}\n${madeMark}${JSON.stringify(made)}\n${text}`;
  return done(before.value === after ? [] : [{ path, before: before.value, after, mode: 0o644 }]);
}

export function planWithoutFile(machine: Machine, path: string, header: string): Result<readonly FileChange[]> {
  const before = ownText(machine, path, header);
  if (!before.ok) return before;
  return done(
    before.value === null || otherAgent(before.value, header) !== null
      ? []
      : [{ path, before: before.value, after: null, emptied: foldersMade(before.value) }],
  );
}

const madeMark = "// tama: folders it made: ";

/** A file of Tama's, of this agent's or of one that shares its folder. */
function ownText(machine: Machine, path: string, header: string): Result<string | null> {
  const before = machine.read(path);
  if (!before.ok || before.value === null || before.value.startsWith(`${header}\n`)) return before;
  if (otherAgent(before.value, header) !== null) return before;
  return failed(`${path} is not Tama's: it lacks Tama's first line. Move it away, or rename it, and run this again`);
}

/** The agent another file of Tama's is for; null = it is none, or this agent's own. */
function otherAgent(text: string | null, header: string): string | null {
  if (text === null || text.startsWith(`${header}\n`)) return null;
  return /^\/\/ tama: owned by `tama install ([a-z-]+)`;/.exec(text)?.[1] ?? null;
}

/** OMP and pi both read PI_CODING_AGENT_DIR; OMP's profile counts more than that. */
function sharedFolder(path: string, other: string): string {
  return `${path} is Tama's for ${other} already: PI_CODING_AGENT_DIR gives OMP and pi one folder, and one file cannot speak with both. Give OMP a profile of its own (OMP_PROFILE=<name> before "tama install omp" and before omp), or pi the folder it has without that variable (env -u PI_CODING_AGENT_DIR before "tama install pi" and before pi)`;
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
