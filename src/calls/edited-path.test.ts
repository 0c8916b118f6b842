import { expect, test } from "bun:test";
import { touchedPath } from "./edited-path.ts";

const PATHS: readonly (readonly [unknown, string | null, string | null])[] = [
  [{ path: "src/a.ts" }, "/srv/app", "/srv/app/src/a.ts"],
  [{ file_path: "/srv/app/./src/../a.ts" }, "/x", "/srv/app/a.ts"],
  [{ filePath: "a.ts" }, "/x", "/x/a.ts"],
  [{ notebook_path: "n.ipynb" }, "/x", "/x/n.ipynb"],
  [{ absolute_path: "/x/a" }, null, "/x/a"],
  [{ paths: ["b.ts", "c.ts"] }, "/x", "/x/b.ts"],
  [{ path: "", file_path: "a" }, "/x", "/x/a"],
  [{ path: "./a.ts" }, null, "a.ts"],
  [{ path: "src/a.ts:10-40" }, "/x", "/x/src/a.ts"],
  [{ path: "src/a.ts:5" }, "/x", "/x/src/a.ts"],
  [{ path: "src/a.ts:raw" }, "/x", "/x/src/a.ts"],
  [{ path: "file:///x/a.ts" }, null, "/x/a.ts"],
  [{ command: "ls" }, "/x", null],
  [{ path: 5 }, "/x", null],
  [{ paths: [] }, "/x", null],
  [null, "/x", null],
  ["a.ts", "/x", null],
];

for (const [input, cwd, path] of PATHS) {
  test(`${JSON.stringify(input)} in ${cwd}`, () => expect(touchedPath(input, cwd)).toBe(path));
}
