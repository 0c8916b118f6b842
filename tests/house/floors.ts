import { type Import, importsOf } from "./imports.ts";
import { isTest, type Source } from "./sources.ts";

/** The rooms of src/ and the floor each stands on: imports go down only, never to another room of the same floor. */
export const floors: Readonly<Record<string, number>> = {
  base: 0,
  words: 1,
  process: 1,
  shell: 1,
  disk: 2,
  calls: 2,
  transcript: 3,
  gates: 4,
  judge: 4,
  oko: 4,
  register: 4,
  wait: 4,
  supervision: 5,
  facts: 5,
  core: 6,
  harness: 7,
  desktop: 7,
  replay: 7,
  cli: 8,
  "main.ts": 9,
};

/** Packages that run in the product, and where each may be imported. A new one is argued for in docs/dependencies.md. */
const packages: Readonly<Record<string, readonly string[]>> = {
  valibot: Object.keys(floors)
    .filter((room) => room !== "base")
    .map((room) => `src/${room}`),
  citty: ["src/cli", "src/main.ts"],
  consola: ["src/cli", "src/base/log.ts"],
  unbash: ["src/shell"],
  "mdast-util-from-markdown": ["src/gates"],
  diff: ["src/cli"],
};

/** What is not TypeScript of src/ and may still be imported: plain data that the binary carries. */
const data = /^(package\.json|hook-declarations\/.*\.json)$/;

/** One sentence for each import of a source under src/ that goes up, sideways or out. */
export function brokenFloors(source: Source): string[] {
  const room = roomOf(source.path);
  const floor = floors[room];
  if (floor === undefined) {
    return [`${source.path}: there is no room "${room}"; give it a floor in tests/house/floors.ts and AGENTS.md`];
  }
  return importsOf(source).flatMap((one) => {
    const why = one.path === null ? whyNotPackage(source, one) : whyNotPath(source, room, floor, one.path);
    return why === null ? [] : [`${source.path}:${one.line} imports ${one.specifier}: ${why}`];
  });
}

/** "supervision" for src/supervision/birth.ts, "main.ts" for src/main.ts. */
function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function whyNotPath(source: Source, room: string, floor: number, path: string): string | null {
  if (!path.startsWith("src/")) {
    if (data.test(path) || isTest(source)) return null;
    return "it leaves src/; the binary carries only src/, package.json and hook-declarations/";
  }
  const other = roomOf(path);
  const otherFloor = floors[other];
  if (otherFloor === undefined) return `there is no room "${other}"`;
  if (other === room || otherFloor < floor) return null;
  const relation = otherFloor === floor ? "beside" : "above";
  const down = floor <= 1 ? "floor 0" : `floor ${floor - 1} or lower`;
  return (
    `${other} (floor ${otherFloor}) stands ${relation} ${room} (floor ${floor}). What both need belongs on ${down}, ` +
    `what joins them on floor ${otherFloor + 1} or higher, or it is handed in as a value`
  );
}

function whyNotPackage(source: Source, { specifier }: Import): string | null {
  if (/^(node:|bun:)/.test(specifier) || specifier === "bun") return null;
  if (isTest(source)) return null;
  const name = specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : (specifier.split("/")[0] ?? "");
  const places = packages[name];
  if (places === undefined) return `the package ${name} has no row in tests/house/floors.ts`;
  if (places.some((place) => source.path === place || source.path.startsWith(`${place}/`))) return null;
  return `${name} belongs in ${places.join(", ")}`;
}
