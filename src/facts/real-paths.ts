import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";

/**
 * Says where paths really lie: links resolved as far as the path exists; what is not there yet keeps its name under its real folder. For
 * one event only: each folder is asked about once, with one look that does not throw, since a gate asks after a dozen paths that are
 * mostly absent and mostly in the same folders.
 */
export function openRealPaths(): (path: string) => string {
  const known = new Map<string, RealPlace>();
  const placeOf = (path: string): RealPlace => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const parent = dirname(path);
    const found = parent === path ? { path, there: true } : placeIn(placeOf(parent), basename(path));
    known.set(path, found);
    return found;
  };
  return (path) => (isAbsolute(path) && normalize(path) === path ? placeOf(path).path : followed(path));
}

interface RealPlace {
  readonly path: string;
  /** False where nothing can lie below it either, so that is not looked at. */
  readonly there: boolean;
}

function placeIn(folder: RealPlace, name: string): RealPlace {
  const path = join(folder.path, name);
  if (!folder.there) return { path, there: false };
  try {
    const about = lstatSync(path, { throwIfNoEntry: false });
    return { path: about?.isSymbolicLink() === true ? followed(path) : path, there: about !== undefined };
  } catch {
    // A file where a folder should be, or a folder that shows nothing: nothing is known below it.
    return { path, there: false };
  }
}

function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(followed(parent), basename(path));
  }
}
