/** What the map of the house says, held against the house. */
export interface House {
  /** The text of AGENTS.md. */
  readonly map: string;
  /** The folders directly below src/, by name. */
  readonly rooms: readonly string[];
  /** The floor of each room, as the layering test holds it. */
  readonly floors: Readonly<Record<string, number>>;
  /** Whether a path from the root is there. */
  readonly has: (path: string) => boolean;
}

const named = /(?<![\w./-])(?:src|tests|workshop|docs|hook-declarations)\/[A-Za-z0-9_./-]*|\.ci\/run\b|\bbuild\.ts\b/g;

// A row of its table: | `src/core/` | 6 | …
const row = /^\|\s*`src\/([\w.-]+)\/?`\s*\|\s*(\d+)\s*\|/gm;

/** One sentence for each room that the map leaves out or puts on another floor, and each path it names that is not there. */
export function brokenMap({ map, rooms, floors, has }: House): string[] {
  const paths = [...new Set([...map.matchAll(named)].map((match) => match[0].replace(/[.]+$/, "")))];
  const unnamed = rooms.filter((room) => !paths.some((path) => `${path}/`.startsWith(`src/${room}/`)));
  const misplaced = [...map.matchAll(row)].filter(([, room = "", floor]) => floors[room] !== Number(floor));
  // A path cut short by a placeholder ("tests/journeys/<story>") is looked for up to there.
  const missing = paths.filter((path) => !has(path));
  return [
    ...unnamed.map((room) => `AGENTS.md does not name src/${room}/: say in one line what it answers`),
    ...misplaced.map(([, room, floor]) => `AGENTS.md puts ${room} on floor ${floor}, tests/house/floors.ts on another`),
    ...missing.map((path) => `AGENTS.md names ${path}, which is not there`),
  ];
}
