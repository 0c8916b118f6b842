import { importsOf } from "./imports.ts";
import type { Source } from "./sources.ts";

/**
 * What a hot command must not load: consola costs four times the start of an empty program, node:crypto more than one, node:tty half of
 * one, citty and node:util (which citty brings) a third; diff is for plans that a person reads.
 */
const heavy = /^((consola|citty|diff)(\/|$)|(node:)?(util|crypto|tty|child_process|http|stream|readline)$)/;

/** Files that a hook, an agent or a supervisor waits for at every call. */
const hot = /^src\/(main|cli\/(run-hook|owned-hook|hook|calls[\w-]*))\.ts$/;

/** One sentence, with the way there, for each heavy package that comes with a hot file at import. */
export function heavyAtStart(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return [...byPath.keys()]
    .filter((path) => hot.test(path))
    .flatMap((path) => heavyFrom(path, [path], new Set(), byPath));
}

function heavyFrom(
  path: string,
  way: readonly string[],
  seen: Set<string>,
  byPath: ReadonlyMap<string, Source>,
): string[] {
  const source = byPath.get(path);
  if (source === undefined || seen.has(path)) return [];
  seen.add(path);
  return importsOf(source)
    .filter((one) => !one.lazy && !one.typeOnly)
    .flatMap((one) => {
      if (one.path !== null) return heavyFrom(one.path, [...way, one.path], seen, byPath);
      return heavy.test(one.specifier) ? [`${way.join(" → ")} loads ${one.specifier}; import it where it is used`] : [];
    });
}
