import { isAbsolute, normalize, resolve } from "node:path";

const NAMES: readonly string[] = [
  "path",
  "file_path",
  "filePath",
  "notebook_path",
  "absolute_path",
  "filename",
  "file",
];

/**
 * The file a read, write or edit names, absolute and normalised, so that an edit refused with "not read yet" is matched
 * with the read that lifts it. `cwd` null leaves a relative path relative. Null when the arguments name no file. No link
 * is resolved: both calls name the file the same way, or the match is left to the harness's own check.
 */
export function touchedPath(input: unknown, cwd: string | null): string | null {
  const path = namedPath(input);
  if (path === null) return null;
  return isAbsolute(path) || cwd === null ? normalize(path) : resolve(cwd, path);
}

function namedPath(input: unknown): string | null {
  if (typeof input !== "object" || input === null) return null;
  for (const name of NAMES) {
    const value: unknown = Reflect.get(input, name);
    if (typeof value === "string" && value !== "") return withoutScheme(value);
  }
  const paths: unknown = Reflect.get(input, "paths");
  const first: unknown = Array.isArray(paths) ? paths[0] : undefined;
  return typeof first === "string" && first !== "" ? withoutScheme(first) : null;
}

/** OMP reads take a selector behind the path (`src/a.ts:10-40`, `:raw`), which is no part of the file's name. */
const SELECTOR = /:(?:\d+(?:[-+]\d*)?(?:,\d+(?:[-+]\d*)?)*|raw|conflicts)$/;

function withoutScheme(path: string): string {
  const bare = path.startsWith("file://") ? path.slice("file://".length) : path;
  return bare.replace(SELECTOR, "");
}
