import { posix } from "node:path";
import { lineOf } from "./code.ts";
import type { Source } from "./sources.ts";

export interface Import {
  /** As written: "./birth.ts", "node:fs", "valibot". */
  readonly specifier: string;
  /** Where a relative one leads, from the root; null for a package or a module of the runtime. */
  readonly path: string | null;
  /** The names it takes; null when it takes all of them, or none can be told. */
  readonly names: readonly string[] | null;
  readonly typeOnly: boolean;
  /** True for `import(…)` and `require(…)`: loaded when it is reached, not with the file. */
  readonly lazy: boolean;
  readonly line: number;
}

const statement = /\b(import|export)\s+(type\s+)?([\w$*{][^;'"]*?)\s*\bfrom\s*["']/g;
const bare = /\bimport\s*["']/g;
const late = /\b(?:import|require|require\.resolve)\s*\(\s*["'`]/g;

/** Every import of a source: static, for types only, lazy, and `export … from`. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  for (const match of source.code.matchAll(statement)) {
    const clause = match[3] ?? "";
    const named = /^\{([^}]*)\}$/.exec(clause.trim())?.[1]?.split(",");
    const names = named?.map((name) => name.trim()).filter((name) => name !== "");
    const typeOnly = match[2] !== undefined || (names?.every((name) => name.startsWith("type ")) ?? false);
    const values = names?.filter((name) => !name.startsWith("type ")).map((name) => name.split(/\s+as\s+/)[0] ?? "");
    found.push(read(source, match, values ?? null, typeOnly));
  }
  for (const match of source.code.matchAll(bare)) found.push(read(source, match, [], false));
  for (const match of source.code.matchAll(late)) found.push({ ...read(source, match, null, false), lazy: true });
  // Bun's own parser is the second pair of eyes: what it sees and the patterns did not is an import all the same.
  const seen = new Set(found.map((one) => one.specifier));
  const scanner = new Bun.Transpiler({ loader: source.path.endsWith("x") ? "tsx" : "ts" });
  for (const { path } of scanned(scanner, source)) {
    if (!seen.has(path)) found.push({ ...resolve(source, path), names: null, typeOnly: false, lazy: false, line: 1 });
  }
  return found;
}

function scanned(scanner: Bun.Transpiler, source: Source): Bun.Import[] {
  try {
    return scanner.scanImports(source.text);
  } catch (cause) {
    throw new Error(`${source.path} does not parse: ${cause instanceof Error ? cause.message : cause}`);
  }
}

function read(source: Source, match: RegExpExecArray, names: readonly string[] | null, typeOnly: boolean): Import {
  const from = match.index + match[0].length;
  const quote = source.text[from - 1] ?? '"';
  const specifier = source.text.slice(from, source.text.indexOf(quote, from));
  return { ...resolve(source, specifier), names, typeOnly, lazy: false, line: lineOf(source.text, match.index) };
}

function resolve(source: Source, specifier: string): { specifier: string; path: string | null } {
  const relative = specifier.startsWith(".");
  return { specifier, path: relative ? posix.join(posix.dirname(source.path), specifier) : null };
}
