import { expect, test } from "bun:test";
import { movedWords, patchedFiles, writtenWords } from "./written-paths.ts";

const patch = [
  "*** Begin Patch",
  "*** Update File: src/a.ts",
  "*** Move to: src/b.ts",
  "@@",
  "+*** Delete File: c.ts is how a patch reads",
  "*** Add File: d e.ts",
  "*** End Patch",
].join("\n");

test("every file a write tool names, by its arguments, in lists and in patches", () => {
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [{ path: "a", content: "path: b" }, ["a"]],
    [{ file_path: "file:///x/a.ts" }, ["/x/a.ts"]],
    [{ path: "a.ts:10-40" }, ["a.ts"]],
    [{ paths: ["a", "b"] }, ["a", "b"]],
    [{ edits: [{ path: "a" }, { filePath: "b" }] }, ["a", "b"]],
    [{ target_file: "a" }, ["a"]],
    [{ source: "a", destination: "b" }, ["b"]],
    [{ input: patch }, ["src/a.ts", "src/b.ts", "d e.ts"]],
    [{ command: ["apply_patch", patch] }, ["src/a.ts", "src/b.ts", "d e.ts"]],
    [patch, ["src/a.ts", "src/b.ts", "d e.ts"]],
    [{ input: "[src/a.ts#5BF9]\n1:x\n[b c.ts#00Fa]\n2:y" }, ["src/a.ts", "b c.ts"]],
    [{ path: 5 }, []],
    [null, []],
  ];
  for (const [input, files] of cases) expect([input, writtenWords(input)]).toEqual([input, [...files]]);
  expect(patchedFiles("*** Update File: a")).toEqual([]);
});

test("what a tool that moves takes away", () => {
  expect(movedWords({ source: "a", destination: "b" })).toEqual(["a"]);
  expect(movedWords({ old_path: "file:///a", new_path: "b", sources: 1 })).toEqual(["/a"]);
  expect(movedWords(null)).toEqual([]);
});
