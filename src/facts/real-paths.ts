import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";

/**
 * Says where paths really lie: links resolved as far as the path exists; what is not there yet keeps its name under its real folder. For
 * one event only: each folder is asked about once, with one look that does not throw, since a gate asks after a dozen paths that are
 * mostly absent and mostly in the same folders.
 */
export function openRealPaths(): (path: string) => string {
  const known = new Map<string, string>();
  const liesAt = (path: string): string => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const parent = dirname(path);
    const real = parent === path ? path : placeIn(liesAt(parent), basename(path));
    known.set(path, real);
    return real;
  };
  return (path) => (isAbsolute(path) && normalize(path) === path ? liesAt(path) : followed(path));
}

function placeIn(folder: string, name: string): string {
  const path = join(folder, name);
  return isLink(path) ? followed(path) : path;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    // A file where a folder should be, or a folder that shows nothing: nothing is known below it.
    return false;
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
