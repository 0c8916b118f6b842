import { lineOf } from "./code.ts";
import { type Import, importsOf } from "./imports.ts";
import { isTest, type Source } from "./sources.ts";

interface Place {
  /** A folder ending in a slash, or one file. */
  readonly where: string;
  /** Only these names of the power's modules; absent = all. */
  readonly names?: readonly string[];
}

interface Power {
  readonly power: string;
  readonly code?: RegExp;
  /** Modules whose import is the power; `free` names of them are not. */
  readonly modules?: readonly string[];
  readonly free?: readonly string[];
  /** Only these names of the modules are the power; absent = every name that is not free. */
  readonly only?: RegExp;
  readonly places: readonly Place[];
}

// Looking at a path opens nothing.
const looks = [
  "existsSync",
  "statSync",
  "lstatSync",
  "fstatSync",
  "accessSync",
  "realpathSync",
  "readlinkSync",
  "constants",
];
const reads = ["openSync", "readSync", "closeSync", "readFileSync", "readdirSync"];

/** Each dangerous power and the one room that has it. */
const powers: readonly Power[] = [
  {
    power: "starting or ending processes",
    code: /\bBun\s*\.\s*(spawn|spawnSync|\$)|\bprocess\s*\.\s*kill\b/g,
    modules: [
      "node:child_process",
      "child_process",
      "bun:ffi",
      "node:cluster",
      "node:worker_threads",
      "node:v8",
      "node:vm",
    ],
    places: [{ where: "src/process/" }],
  },
  {
    power: "opening or writing files",
    code: /\bBun\s*\.\s*(write|file|mmap)\b/g,
    modules: ["node:fs", "fs", "node:fs/promises", "fs/promises"],
    free: looks,
    places: [
      { where: "src/disk/" },
      // /proc, and the descriptors of channels and locks.
      { where: "src/process/" },
      { where: "src/transcript/", names: reads },
      // Descriptors that are open already: stdin, stdout, stderr, a channel.
      { where: "src/base/descriptors.ts", names: ["readSync", "writeSync"] },
      { where: "src/base/line-writer.ts", names: ["write"] },
    ],
  },
  {
    power: "the network",
    code: /(?<![.\w$])fetch\s*\(|\bBun\s*\.\s*(serve|connect|listen|udpSocket|dns|fetch)\b|\bnew\s+(WebSocket|EventSource)\b/g,
    modules: [
      "node:net",
      "node:http",
      "node:https",
      "node:http2",
      "node:tls",
      "node:dgram",
      "node:dns",
      "net",
      "http",
      "https",
    ],
    places: [{ where: "src/judge/" }, { where: "src/desktop/" }],
  },
  {
    power: "reading the environment or setting the exit code",
    code: /\bprocess\s*\.\s*(env|argv|argv0|exitCode)\b|\bBun\s*\.\s*(env|argv)\b|\bimport\.meta\.env\b/g,
    places: [{ where: "src/main.ts" }],
  },
  {
    power: "leaving the process, which cuts a pending write (set the exit code in src/main.ts)",
    code: /\bprocess\s*\.\s*(exit|abort|reallyExit)\b/g,
    places: [],
  },
  { power: "console", code: /(?<![.\w$])console\s*\./g, places: [] },
  {
    power: "the clock",
    code: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(\(\s*\)|;|,|\))|(?<![.\w$])(setTimeout|setInterval|setImmediate)\s*\(|\bperformance\s*\.\s*now\b|\bBun\s*\.\s*(sleep|nanoseconds)\b/g,
    modules: ["node:timers", "node:timers/promises", "timers", "node:perf_hooks"],
    places: [{ where: "src/base/clock.ts" }],
  },
  {
    power: "a wait that blocks the thread",
    code: /\bBun\s*\.\s*sleepSync\b|\bAtomics\s*\.\s*wait\b/g,
    places: [
      { where: "src/base/descriptors.ts" },
      { where: "src/base/clock.ts" },
      { where: "src/process/" },
      { where: "src/disk/" },
    ],
  },
  {
    power: "chance",
    code: /\bMath\s*\.\s*random\b|\bcrypto\s*\.\s*(random\w+|getRandomValues)\b|\bBun\s*\.\s*randomUUID\w*/g,
    modules: ["node:crypto", "crypto"],
    only: /^random|^getRandomValues$|^webcrypto$/,
    places: [{ where: "src/base/clock.ts" }, { where: "src/base/ids.ts" }],
  },
  {
    power: "a power under another name (write Bun.x and process.x, so that a reader and this test see it)",
    code: /\bglobalThis\b|=\s*(Bun|process)\s*[;,)\n]|\b(Bun|process)\s*(\[|\?\.)/g,
    modules: ["bun", "node:process", "process", "node:module"],
    places: [],
  },
];

/**
 * The one kind of folder that stands outside: an extension that another program loads into itself. It is no part of our
 * processes, so our rooms are not there for it: it may have every power, and may import only the runtime's own modules,
 * what lies beside it, and parts of another such extension, which are put into its file all the same.
 */
const guest = /^src\/harness\/[^/]+\/extension\/[^/]+\.ts$/;

/** One sentence for each use of a power outside its room. Tests have every power. */
export function misplacedPowers(source: Source): string[] {
  if (isTest(source)) return [];
  if (guest.test(source.path)) {
    return importsOf(source)
      .filter((one) => !/^(node:|(\.|\.\.\/\.\.\/[^/]+\/extension)\/[^/]+$)/.test(one.specifier))
      .map(
        (one) =>
          `${source.path}:${one.line} imports ${one.specifier}: it runs inside another program, so only node: modules and its own`,
      );
  }
  return powers.flatMap((power) => [...inCode(source, power), ...inImports(source, power)]);
}

function inCode(source: Source, power: Power): string[] {
  if (power.code === undefined || placesOf(source, power).some((place) => place.names === undefined)) return [];
  return [...source.code.matchAll(power.code)].map((match) =>
    misplaced(source, lineOf(source.code, match.index), `has ${match[0].trim()}`, power),
  );
}

function inImports(source: Source, power: Power): string[] {
  const places = placesOf(source, power);
  if (power.modules === undefined || places.some((place) => place.names === undefined)) return [];
  const allowed = [...(power.free ?? []), ...places.flatMap((place) => place.names ?? [])];
  return importsOf(source)
    .filter((one) => !one.typeOnly && power.modules?.includes(one.specifier))
    .flatMap((one) => {
      const names = powerNames(one, power, allowed);
      return names === "" ? [] : [misplaced(source, one.line, `imports ${names} of ${one.specifier}`, power)];
    });
}

// A whole module under one name could be anything in it, so it counts as the power.
function powerNames({ names }: Import, power: Power, allowed: readonly string[]): string {
  if (names === null) return "all";
  return names.filter((name) => !allowed.includes(name) && (power.only?.test(name) ?? true)).join(", ");
}

function placesOf(source: Source, power: Power): Place[] {
  return power.places.filter(({ where }) =>
    where.endsWith("/") ? source.path.startsWith(where) : source.path === where,
  );
}

function misplaced(source: Source, line: number, what: string, power: Power): string {
  const where = power.places.map(({ where }) => where).join(", ");
  return `${source.path}:${line} ${what}: ${power.power} belongs ${where === "" ? "nowhere in src/" : `in ${where}`}`;
}
