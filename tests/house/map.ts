/** What the map of the house says, held against the house. */
export interface House {
  /** The text of AGENTS.md. */
  readonly map: string;
  /** The folders directly below src/, by name. */
  readonly rooms: readonly string[];
  /** Whether a path from the root is there. */
  readonly has: (path: string) => boolean;
}

const named = /(?<![\w./-])(?:src|tests|workshop|docs|hook-declarations)\/[A-Za-z0-9_./-]*|\.ci\/run\b|\bbuild\.ts\b/g;

/** One sentence for each room that the map leaves out and each path it names that is not there. */
export function brokenMap({ map, rooms, has }: House): string[] {
  const paths = [...new Set([...map.matchAll(named)].map((match) => match[0].replace(/[.]+$/, "")))];
  const unnamed = rooms.filter((room) => !paths.some((path) => `${path}/`.startsWith(`src/${room}/`)));
  // A path cut short by a placeholder ("tests/journeys/<story>") is looked for up to there.
  const missing = paths.filter((path) => !has(path));
  return [
    ...unnamed.map((room) => `AGENTS.md does not name src/${room}/: say in one line what it answers`),
    ...missing.map((path) => `AGENTS.md names ${path}, which is not there`),
  ];
}
