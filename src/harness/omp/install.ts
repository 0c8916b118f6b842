import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { done, failed, type Result } from "../../base/result.ts";
import type { FileChange, Harness, InstallPlan, Machine } from "../harness.ts";
import { joinedExtension } from "./extension-text.ts";

/** OMP loads every file of its extensions folder, so one file of our own is the whole installation: no setting is touched. */
export const omp: Harness = { name: "omp", planInstall, planUninstall };

/** The first words of the file Tama owns; a file of that name without them is somebody else's. */
export const ownHeader = "// tama: owned by `tama install omp`; `tama uninstall omp` removes it";

async function planInstall(machine: Machine): Promise<Result<InstallPlan>> {
  const place = await findPlace(machine);
  if (!place.ok) return place;
  const { path, before } = place.value;
  const made = before === null ? missingFolders(dirname(path)) : foldersMade(before);
  const after = extensionText({ binary: machine.binary, release: machine.release, made });
  const changes: FileChange[] = before === after ? [] : [{ path, before, after, mode: 0o644 }];
  const start = "OMP loads the adapter when it starts: sessions that run already go on without it.";
  return done({ harness: "omp", changes, notes: changes.length === 0 ? [] : [start] });
}

async function planUninstall(machine: Machine): Promise<Result<InstallPlan>> {
  const place = await findPlace(machine);
  if (!place.ok) return place;
  const { path, before } = place.value;
  if (before === null) return done({ harness: "omp", changes: [], notes: [] });
  const notes = ["OMP sessions that run already keep the adapter until they end."];
  return done({ harness: "omp", changes: [{ path, before, after: null, emptied: foldersMade(before) }], notes });
}

export interface ExtensionFacts {
  readonly binary: string;
  readonly release: string;
  /** The folders that installing makes, innermost first; an uninstallation takes them away again where they are empty. */
  readonly made: readonly string[];
}

/** The adapter as it is written: the source with its constants filled in, as JSON so that no path can end a string. */
export function extensionText({ binary, release, made }: ExtensionFacts): string {
  const filled = joinedExtension()
    .replace('"@tama-binary@"', () => JSON.stringify(binary))
    .replace('"@tama-release@"', () => JSON.stringify(release));
  return `${ownHeader}\n${madeMark}${JSON.stringify(made)}\n${filled}`;
}

const madeMark = "// tama: folders it made: ";

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

async function findPlace(machine: Machine): Promise<Result<{ path: string; before: string | null }>> {
  const folder = await agentFolder(machine);
  if (!folder.ok) return folder;
  const path = join(folder.value, "extensions", "tama.ts");
  const before = machine.read(path);
  if (!before.ok) return before;
  if (before.value !== null && !before.value.startsWith(`${ownHeader}\n`)) {
    return failed(`${path} is not Tama's: it lacks Tama's first line. Move it away, or rename it, and run this again`);
  }
  return done({ path, before: before.value });
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

function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) || dirname(folder) === folder ? [] : [folder, ...missingFolders(dirname(folder))];
}
