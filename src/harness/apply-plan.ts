import { realpathSync } from "node:fs";
import { codeOf, done, failed, type Result } from "../base/result.ts";
import { readTextFile } from "../disk/read-text-file.ts";
import { removeEmptyFolder, removeFile } from "../disk/remove-file.ts";
import { replaceKeepingMode } from "../disk/replace-keeping-mode.ts";
import type { FileChange, InstallPlan } from "./harness.ts";

/**
 * Makes a plan true: every file still has the text the plan was made from, or nothing is written at all. A write that fails takes back
 * those before it. A file behind a symbolic link is replaced where it lies, so that the link stays. Returns the paths that changed.
 */
export function applyPlan(plan: InstallPlan): Result<readonly string[]> {
  const changes = plan.changes.filter((change) => change.before !== change.after);
  for (const change of changes) {
    const now = readThroughLinks(change.path);
    if (!now.ok) return now;
    if (now.value !== change.before)
      return failed(`${change.path} changed since the plan was made; nothing was written`);
  }
  const made: FileChange[] = [];
  for (const change of changes) {
    const applied = apply(change);
    if (!applied.ok) return failed([applied.cause, ...takeBack(made)].join("; "));
    made.push(change);
  }
  for (const folder of changes.flatMap((change) => change.emptied ?? [])) {
    const removed = removeEmptyFolder(folder);
    if (!removed.ok) return removed;
  }
  return done(changes.map((change) => change.path));
}

/** The text of a file, through symbolic links; null when there is none. A link to nothing is an error: what it is for is not ours to guess. */
export function readThroughLinks(path: string): Result<string | null> {
  const target = targetOf(path);
  return target.ok ? readTextFile(target.value) : target;
}

function apply(change: FileChange): Result<void> {
  const target = targetOf(change.path);
  if (!target.ok) return target;
  if (change.after === null) return removeFile(target.value);
  return replaceKeepingMode(target.value, change.after, change.mode ?? 0o600);
}

function takeBack(made: readonly FileChange[]): string[] {
  const causes = made.toReversed().map((change) => apply({ ...change, before: change.after, after: change.before }));
  return causes.flatMap((result) => (result.ok ? [] : [`and taking back failed: ${result.cause}`]));
}

function targetOf(path: string): Result<string> {
  try {
    return done(realpathSync(path));
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return absentTarget(path);
    return failed(`cannot follow ${path}: ${codeOf(thrown) ?? String(thrown)}`);
  }
}

// realpath says ENOENT for a file that is not there and for a link to nothing alike; only the first may be created.
function absentTarget(path: string): Result<string> {
  const bare = readTextFile(path);
  return bare.ok ? done(path) : failed(`${path} is a symbolic link to nothing`);
}
