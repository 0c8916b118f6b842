import { expect, test } from "bun:test";
import { absoluteInput } from "./absolute-input.ts";

test("a relative file becomes absolute; everything else stays as it is", () => {
  expect(absoluteInput({ file_path: "a/../b.ts", limit: 3 }, "/srv")).toEqual({ file_path: "/srv/b.ts", limit: 3 });
  expect(absoluteInput({ path: "a.ts:10-40" }, "/srv")).toEqual({ path: "/srv/a.ts:10-40" });
  for (const input of [
    { file_path: "/a" },
    { path: "https://x.example/a" },
    { path: "~/a" },
    { path: "" },
    { command: "cat a" },
    "a",
    null,
    ["a"],
  ]) {
    expect(absoluteInput(input, "/srv")).toBe(input);
  }
  const relative = { path: "a" };
  expect(absoluteInput(relative, null)).toBe(relative);
});
