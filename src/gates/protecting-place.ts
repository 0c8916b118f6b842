import { namedPath } from "../calls/named-paths.ts";
import { wildcardForm } from "../shell/wildcard.ts";
import type { Picks } from "./find-picks.ts";
import type { Place, ProtectedPlaces } from "./gate.ts";

export interface Protecting {
  /** As far as the word says it. */
  readonly path: string;
  readonly place: Place;
}

/**
 * The protected place that a word names; with `removes` also one that lies below it, since it would go along, unless `picks` says that of
 * what lies there others are meant.
 */
export function protecting(
  word: string,
  cwd: string,
  places: ProtectedPlaces,
  removes: boolean,
  picks?: Picks,
): Protecting | null {
  const named = namedPath(word, cwd, places.userHome);
  if (named === null) return null;
  const lies = places.liesAt(named.path);
  const place = places.places().find((one) => holds(one, lies, named.glob, removes, picks) && isClosed(one, places));
  return place === undefined ? null : { path: named.path, place };
}

function isClosed({ saying }: Place, { said }: ProtectedPlaces): boolean {
  return saying === undefined || saying.test(said?.() ?? "");
}

function holds(
  place: Place,
  path: string,
  glob: readonly string[],
  removes: boolean,
  picks: Picks | undefined,
): boolean {
  if (place.folder && isIn(path, place.path)) return true;
  if (path === place.path) return glob.length === 0;
  const below = path === "/" ? place.path.slice(1) : isIn(place.path, path) ? place.path.slice(path.length + 1) : null;
  if (below === null) return false;
  const segments = below.split("/");
  if (!glob.every((pattern, at) => at >= segments.length || matches(pattern, segments[at] ?? ""))) return false;
  if (glob.length === segments.length) return true;
  if (glob.length > segments.length) return place.folder;
  return removes && (picks?.(path, below, place.folder) ?? true);
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === "/");
}

/** A shell's pattern for one segment; a leading dot is only matched by a dot. */
export function matches(pattern: string, name: string): boolean {
  // Nearly every word is none, and each command of each line is asked.
  if (!hasWildcard(pattern)) return pattern === name;
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  return wildcardForm(pattern, "s")?.test(name) ?? true;
}

export function hasWildcard(word: string): boolean {
  return /[*?[]/.test(word);
}
