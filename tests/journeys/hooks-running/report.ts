import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tamaBinary } from "../tama-command.ts";

/**
 * Evidence of a held-endpoint journey, written before anything is asserted, so that a failed journey leaves what it saw. The folder lies outside the
 * tree: TAMA_TEST_REPORTS, else a temporary one that is named once.
 */
export interface Evidence {
  readonly command: readonly string[];
  /** The words that make the sandbox, or null where there is none. */
  readonly sandboxProfile: string | null;
  /** Each in-flight record as it stood while the hook waited: name and text. */
  readonly birthRecords: Readonly<Record<string, string>>;
  /** In-flight records after the end. */
  readonly recordsAfter: Readonly<Record<string, string>>;
  readonly sent: readonly string[];
  readonly frames: readonly object[];
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly seen: object;
}

export interface Qualification {
  /** Null where the tests do not lie in a git tree. */
  readonly sourceRevision: string | null;
  readonly treeIsClean: boolean | null;
  readonly declaredRevision: string | null;
  readonly binary: string;
  readonly binarySha256: string;
}

/**
 * What is tested, told before launch. Throws when TAMA_TEST_SOURCE_REVISION declares a revision that is not the tree's, or the tracked tree
 * has changes: then nothing says which source the outcome speaks of.
 */
export function qualify(
  declared: string | undefined = process.env["TAMA_TEST_SOURCE_REVISION"],
  tree: string = import.meta.dir,
): Qualification {
  const sourceRevision = git(tree, "rev-parse", "HEAD");
  const changes = git(tree, "status", "--porcelain", "--untracked-files=no");
  if (declared !== undefined) {
    if (sourceRevision === null) throw new Error("TAMA_TEST_SOURCE_REVISION is set, but this is no git tree");
    if (sourceRevision !== declared)
      throw new Error(`TAMA_TEST_SOURCE_REVISION declares ${declared}, the tree is at ${sourceRevision}`);
    if (changes !== "")
      throw new Error(`TAMA_TEST_SOURCE_REVISION is set, but the tracked tree has changes:\n${changes}`);
  }
  return {
    sourceRevision,
    treeIsClean: changes === null ? null : changes === "",
    declaredRevision: declared ?? null,
    binary: tamaBinary,
    binarySha256: new Bun.CryptoHasher("sha256").update(readFileSync(tamaBinary)).digest("hex"),
  };
}

/** Writes one journey's report and returns its folder. */
export function writeReport(journey: string, qualification: Qualification, evidence: Evidence): string {
  const folder = join(reportsFolder(), `${journey}-${process.pid}-${++written}`);
  mkdirSync(folder, { recursive: true });
  const { frames, sent, stderr, birthRecords, recordsAfter, ...rest } = evidence;
  writeFileSync(join(folder, "report.json"), `${JSON.stringify({ journey, ...qualification, ...rest }, null, 2)}\n`);
  writeFileSync(join(folder, "frames.jsonl"), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
  writeFileSync(join(folder, "sent.jsonl"), sent.map((line) => `${line}\n`).join(""));
  writeFileSync(join(folder, "stderr.txt"), stderr);
  writeFileSync(join(folder, "birth-records.json"), `${JSON.stringify({ birthRecords, recordsAfter }, null, 2)}\n`);
  return folder;
}

let written = 0;
let folder: string | null = null;

function reportsFolder(): string {
  if (folder === null) {
    folder = process.env["TAMA_TEST_REPORTS"] ?? mkdtempSync(join(tmpdir(), "tama-reports-"));
    console.log(`reports of the held-endpoint journeys: ${folder}`);
  }
  return folder;
}

function git(tree: string, ...words: readonly string[]): string | null {
  try {
    const ran = Bun.spawnSync(["git", ...words], { cwd: tree, env: { PATH: process.env["PATH"] ?? "" } });
    return ran.exitCode === 0 ? ran.stdout.toString().trim() : null;
  } catch {
    return null;
  }
}
