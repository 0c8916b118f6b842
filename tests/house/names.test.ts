import { expect, test } from "bun:test";
import { join } from "node:path";
import { emptyNames, silenced, tooLong } from "./names.ts";
import { readSources } from "./sources.ts";

const sources = readSources(join(import.meta.dir, "../.."), ["src", "tests", "workshop", "hook-declarations"]);

test("every name says what its file answers", () => {
  expect(sources.flatMap(emptyNames).join("\n")).toBe("");
});

test("a file over 300 lines says why", () => {
  expect(sources.flatMap(tooLong).join("\n")).toBe("");
});

test("no checker is silenced", () => {
  // This folder's own samples have to write the words down.
  const others = sources.filter(({ path }) => !path.startsWith("tests/house/names"));
  expect(others.flatMap(silenced).join("\n")).toBe("");
});

test("names: finds the words that say nothing, and spellings", () => {
  for (const path of [
    "src/utils/a.ts",
    "src/core/lock-helpers.ts",
    "src/misc/a.test.ts",
    "tests/common/a.ts",
    "src/core/index.ts",
  ]) {
    expect(emptyNames({ path }).join()).toContain("says nothing");
  }
  expect(emptyNames({ path: "src/core/birthRecord.ts" }).join()).toContain("not kebab-case");
  expect(emptyNames({ path: "src/core/commonplace.ts" })).toEqual([]);
  expect(emptyNames({ path: "src/core/cancel.test.ts" })).toEqual([]);
});

test("length: counts lines and takes a reason", () => {
  const lines = (count: number): string => "a();\n".repeat(count);
  expect(tooLong({ path: "a.ts", text: lines(300) })).toEqual([]);
  expect(tooLong({ path: "a.ts", text: lines(301) }).join()).toContain("301 lines");
  expect(tooLong({ path: "a.ts", text: `// Long because: one table.\n${lines(400)}` })).toEqual([]);
  expect(tooLong({ path: "a.ts", text: `${lines(400)}// Long because: one table.\n` })).not.toEqual([]);
  expect(tooLong({ path: "a.ts", text: `// Long because:\n${lines(400)}` })).not.toEqual([]);
});

test("silence: finds every way to look away", () => {
  const samples = ["// biome-ignore lint: x", "/* @ts-ignore */", "// @ts-expect-error x", "(x as any).y"];
  for (const text of samples) expect(silenced({ path: "a.ts", text })).toHaveLength(1);
  expect(silenced({ path: "a.ts", text: "const many = as(anyone);" })).toEqual([]);
});
