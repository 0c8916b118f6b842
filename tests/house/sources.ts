import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "./code.ts";

export interface Source {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments and strings blank, place for place. */
  readonly code: string;
}

export function source(path: string, text: string): Source {
  return { path, text, code: codeOf(text) };
}

/** True for a unit test or a file that only tests read. */
export function isTest({ path }: Pick<Source, "path">): boolean {
  return /\.test\.tsx?$/.test(path) || !path.startsWith("src/");
}

/** Every TypeScript file below the folders, sorted by path. */
export function readSources(root: string, folders: readonly string[]): Source[] {
  const paths = folders.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })]);
  return paths.sort().map((path) => source(path, readFileSync(join(root, path), "utf8")));
}
