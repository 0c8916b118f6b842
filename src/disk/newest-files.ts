import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

/**
 * The newest regular files below a folder with one ending, newest first. Links are not followed, folders that cannot be read hold nothing,
 * and no more than `looksMax` names are looked at: what is asked for is a sample, not a search.
 */
export function newestFiles(folder: string, ending: string, count: number): readonly FoundFile[] {
  const found: FoundFile[] = [];
  const folders = [folder];
  let looks = 0;
  for (let next = folders.pop(); next !== undefined && looks < looksMax; next = folders.pop()) {
    for (const entry of entriesIn(next)) {
      looks++;
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && entry.name.endsWith(ending)) {
        const { size, mtimeMs } = lstatSync(path);
        found.push({ path, bytes: size, changed: mtimeMs });
      }
    }
  }
  return found.sort((one, other) => other.changed - one.changed).slice(0, count);
}

const looksMax = 50_000;

function entriesIn(folder: string): ReturnType<typeof listing> {
  try {
    return listing(folder);
  } catch {
    return [];
  }
}

function listing(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
