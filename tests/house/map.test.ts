import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { floors } from "./floors.ts";
import { brokenMap } from "./map.ts";

const root = join(import.meta.dir, "../..");

test("AGENTS.md names every room and nothing that is not there", () => {
  const map = join(root, "AGENTS.md");
  expect(existsSync(map) ? "AGENTS.md" : "no AGENTS.md").toBe("AGENTS.md");
  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const has = (path: string): boolean => existsSync(join(root, path));
  const rooms = folders.map((entry) => entry.name);
  expect(brokenMap({ map: readFileSync(map, "utf8"), rooms, floors, has }).join("\n")).toBe("");
});

test("map: finds what is left out and what is gone", () => {
  const there = ["src/base/", "src/core/cancel.ts", "tests/journeys/", "docs/glossary.md"];
  const told = (map: string, rooms = ["base", "core"]): string[] =>
    brokenMap({ map, rooms, floors: { base: 0, core: 6 }, has: (path) => there.includes(path) });
  const good = "`src/base/` is data, `src/core/cancel.ts` ends. See tests/journeys/<story> and docs/glossary.md.";
  expect(told(good)).toEqual([]);
  expect(told(good, ["base", "core", "disk"])).toEqual([expect.stringContaining("does not name src/disk/")]);
  expect(told(`${good} src/attic/ too`)).toEqual([expect.stringContaining("names src/attic/, which is not there")]);
  expect(told(`${good} src/based/`, ["base", "core"])).toEqual([expect.stringContaining("src/based/")]);
  expect(told(`${good}\n| \`src/base/\` | 0 | ids |`)).toEqual([]);
  expect(told(`${good}\n| \`src/base/\` | 1 | ids |`)).toEqual([expect.stringContaining("puts base on floor 1")]);
  expect(told("src/based/ src/core/cancel.ts")).toContainEqual(expect.stringContaining("does not name src/base/"));
});
