import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { codeOf, done, failed, type Result } from "../base/result.ts";
import { copyProgram, sameBytes } from "../disk/copy-program.ts";
import { listFolder } from "../disk/list-folder.ts";
import { readRecord } from "../disk/read-record.ts";
import { removeEmptyFolder, removeFile } from "../disk/remove-file.ts";
import { replaceKeepingMode } from "../disk/replace-keeping-mode.ts";

/**
 * The binary's own place. Harnesses name it by its path, and Codex trusts a command by its text, so the path must never change with a
 * release: `~/.local/bin/tama`, replaced whole, whatever package manager or build folder this program was started from.
 */
export interface BinaryPlan {
  /** Where harnesses will find it. */
  readonly path: string;
  /** What this program is now, with links resolved. */
  readonly source: string;
  readonly change: "none" | "new" | "replaced";
  /** What an uninstallation will need to know; null where nothing changes. */
  readonly record: RecordPlan | null;
  readonly notes: readonly string[];
}

interface RecordPlan {
  readonly path: string;
  readonly value: PlacedBinary;
}

export interface BinaryRequest {
  readonly running: string;
  readonly userHome: string;
  readonly tamaHome: string;
  /** The PATH a person's shell has. */
  readonly path: string;
}

/** `TAMA_HOME/install/binary.json`: says that Tama put the file there, and which folders it made, innermost first. */
const placedSchema = v.object({ path: v.string(), made: v.array(v.string()) });
type PlacedBinary = v.InferOutput<typeof placedSchema>;

/** Where the binary stays for this person. */
function binaryPlace(userHome: string): string {
  return join(userHome, ".local", "bin", "tama");
}

/** What placing the binary would change. A place that holds something that is no file of ours to replace is refused. */
export function planBinary({ running, userHome, tamaHome, path }: BinaryRequest): Result<BinaryPlan> {
  const place = binaryPlace(userHome);
  const source = realOf(running) ?? running;
  if (/^bun/.test(basename(source)))
    return failed("this Tama runs from its sources; build it first (bun run build), or give --no-binary");
  const there = realOf(place);
  if (there !== null && !statSync(there).isFile())
    return failed(`${place} is no file; move it away, or install with --no-binary`);
  const notes = otherCopies(place, path);
  const same = there === null ? done(false) : there === source ? done(true) : sameBytes(source, there);
  if (!same.ok) return same;
  if (!same.value && isLink(place))
    return failed(
      `${place} is a link to ${there ?? "nothing"}, another program; remove the link, or install with --no-binary`,
    );
  if (same.value) return done({ path: place, source, change: "none", record: null, notes });
  const record = recordPath(tamaHome);
  const before = readRecord(record, placedSchema);
  if (!before.ok) return before;
  const made = before.value?.made ?? [...missingFolders(dirname(place))];
  const change = there === null ? "new" : "replaced";
  return done({ path: place, source, change, record: { path: record, value: { path: place, made } }, notes });
}

/** Makes the plan true: the new program stands whole under a name of its own before it takes the place, so no start ever sees half of one. */
export function placeBinary({ path, source, record }: BinaryPlan): Result<void> {
  if (record === null) return done(undefined);
  const kept = replaceKeepingMode(record.path, `${JSON.stringify(record.value, null, 1)}\n`, 0o600);
  return kept.ok ? copyProgram(source, path) : kept;
}

/** The binary that Tama put in its place, or null when it put none there or it is gone. */
export function placedBinary(tamaHome: string): Result<string | null> {
  const record = readRecord(recordPath(tamaHome), placedSchema);
  if (!record.ok) return record;
  return done(record.value !== null && isThere(record.value.path) ? record.value.path : null);
}

/** The records of installations that still name the binary: each harness's own file in TAMA_HOME/install. */
export function stillInstalled(tamaHome: string): Result<readonly string[]> {
  const names = listFolder(join(tamaHome, "install"), ".json");
  return names.ok ? done(names.value.filter((name) => name !== "binary.json")) : names;
}

/** Takes the binary out again, and the folders that were made for it where they are empty. */
export function removeBinary(tamaHome: string): Result<void> {
  const path = recordPath(tamaHome);
  const record = readRecord(path, placedSchema);
  if (!record.ok) return record;
  if (record.value === null) return done(undefined);
  for (const file of [record.value.path, path]) {
    const removed = removeFile(file);
    if (!removed.ok) return removed;
  }
  for (const folder of [...record.value.made, dirname(path), tamaHome]) {
    const removed = removeEmptyFolder(folder);
    if (!removed.ok) return removed;
  }
  return done(undefined);
}

function recordPath(tamaHome: string): string {
  return join(tamaHome, "install", "binary.json");
}

/** Other programs called tama on PATH, in the order in which a shell would find them. */
export function copiesOnPath(path: string): readonly string[] {
  const folders = [...new Set(path.split(":").filter((folder) => folder.startsWith("/")))];
  return folders.map((folder) => join(folder, "tama")).filter((file) => existsSync(file));
}

function otherCopies(place: string, path: string): readonly string[] {
  const folders = path.split(":");
  const reach = folders.indexOf(dirname(place));
  const others = copiesOnPath(path).filter((file) => file !== place && realOf(file) !== realOf(place));
  const first = others.find((file) => reach === -1 || folders.indexOf(dirname(file)) < reach);
  const put = `put ${dirname(place)} first on PATH`;
  return [
    ...(reach === -1 ? [`${dirname(place)} is not on your PATH; agents find ${place} all the same.`] : []),
    ...(first === undefined ? [] : [`A shell finds ${first} before ${place}: remove it, or ${put}.`]),
    ...others.filter((file) => file !== first).map((file) => `Another tama stands at ${file}.`),
  ];
}

function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) || dirname(folder) === folder ? [] : [folder, ...missingFolders(dirname(folder))];
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  try {
    realpathSync(path);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== "ENOENT";
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
