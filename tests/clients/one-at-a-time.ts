import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs the work while no other process runs work for the same folder; `waiting` is told once when it has to wait.
 * The lock is SQLite's, so the kernel lets go of it when the holder dies: there is no stale lock to recognise.
 */
export async function oneAtATime<Result>(
  folder: string,
  waiting: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  mkdirSync(folder, { recursive: true });
  const lock = new Database(join(folder, ".lock.sqlite"));
  try {
    let told = false;
    while (!taken(lock)) {
      if (!told) waiting();
      told = true;
      await Bun.sleep(100);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function taken(lock: Database): boolean {
  try {
    lock.run("BEGIN EXCLUSIVE");
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "SQLITE_BUSY") return false;
    throw cause;
  }
}
