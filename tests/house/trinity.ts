/** The files a gate is made of, as paths from the root. */
export interface GateFiles {
  /** Everything below src/gates/. */
  readonly gates: readonly string[];
  /** Everything below hook-declarations/. */
  readonly declarations: readonly Declared[];
}

export interface Declared {
  readonly path: string;
  /** The parsed file; what it should hold is its schema's matter, here only the stem. */
  readonly content: unknown;
}

/**
 * A gate is three files of one stem: its declaration, its function, its test. A source in a folder below src/gates/ is
 * a gate; the ones directly in src/gates/ are what the gates share. One sentence for each part that is missing.
 */
export function brokenTrinities({ gates, declarations }: GateFiles): string[] {
  const have = new Set([...gates, ...declarations.map(({ path }) => path)]);
  const stems = gates
    .filter((path) => /^src\/gates\/.+\/[^/]+\.ts$/.test(path) && !path.endsWith(".test.ts"))
    .map((path) => path.slice("src/gates/".length, -".ts".length));
  const ofGates = stems.flatMap((stem) => missing(have, `src/gates/${stem}.ts`, partsOf(stem)));
  const ofDeclarations = declarations.flatMap(({ path, content }) => {
    const stem = path.slice("hook-declarations/".length, -".json".length);
    const id = stem.slice(stem.lastIndexOf("/") + 1);
    const wrong = read(content, "id") === id ? [] : [`${path}: its id is not "${id}", the name of its file`];
    const gate = read(read(content, "program"), "gate");
    if (gate === undefined) return wrong;
    if (gate !== id) wrong.push(`${path}: its program is not the gate "${id}"`);
    return [...wrong, ...missing(have, path, [`src/gates/${stem}.ts`])];
  });
  return [...ofGates, ...ofDeclarations];
}

function partsOf(stem: string): string[] {
  return [`hook-declarations/${stem}.json`, `src/gates/${stem}.test.ts`];
}

function missing(have: ReadonlySet<string>, path: string, parts: readonly string[]): string[] {
  return parts.filter((part) => !have.has(part)).map((part) => `${path}: there is no ${part}`);
}

function read(object: unknown, field: string): unknown {
  if (typeof object !== "object" || object === null) return undefined;
  return Object.entries(object).find(([key]) => key === field)?.[1];
}
