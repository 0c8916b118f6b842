import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPlan } from "./apply-plan.ts";
import type { FileChange } from "./harness.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-plan-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const run = (...changes: FileChange[]) => applyPlan({ harness: "test", changes, notes: [] });

test("a new file is written with its folders and its mode", () => {
  expect(run({ path: at("a/b.ts"), before: null, after: "text", mode: 0o644 })).toEqual({
    ok: true,
    value: [at("a/b.ts")],
  });
  expect(readFileSync(at("a/b.ts"), "utf8")).toBe("text");
  expect(statSync(at("a/b.ts")).mode & 0o777).toBe(0o644);
});

test("a link stays a link, and the file behind it keeps its mode", () => {
  writeFileSync(at("real"), "old");
  chmodSync(at("real"), 0o664);
  symlinkSync("real", at("link"));
  expect(run({ path: at("link"), before: "old", after: "new" }).ok).toBe(true);
  expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(at("real"), "utf8")).toBe("new");
  expect(statSync(at("real")).mode & 0o777).toBe(0o664);
});

test("a link to nothing is refused and stays", () => {
  symlinkSync("gone", at("link"));
  expect(run({ path: at("link"), before: null, after: "new" })).toMatchObject({ ok: false });
  expect(existsSync(at("gone"))).toBe(false);
});

test("a file that changed meanwhile stops the whole plan", () => {
  writeFileSync(at("b"), "theirs");
  const result = run({ path: at("a"), before: null, after: "x" }, { path: at("b"), before: "planned", after: "y" });
  expect(result).toEqual({ ok: false, cause: `${at("b")} changed since the plan was made; nothing was written` });
  expect(existsSync(at("a"))).toBe(false);
  expect(readFileSync(at("b"), "utf8")).toBe("theirs");
});

test("a write that fails takes back those before it", () => {
  writeFileSync(at("a"), "old");
  writeFileSync(at("file"), "");
  const result = run(
    { path: at("a"), before: "old", after: "new" },
    { path: at("new/b"), before: null, after: "b" },
    { path: `${at("new/b")}/c`, before: null, after: "c" },
  );
  expect(result.ok).toBe(false);
  expect(readFileSync(at("a"), "utf8")).toBe("old");
  expect(existsSync(at("new/b"))).toBe(false);
});

test("text that is the same is not written", () => {
  writeFileSync(at("a"), "same");
  const before = statSync(at("a"), { bigint: true });
  expect(run({ path: at("a"), before: "same", after: "same" })).toEqual({ ok: true, value: [] });
  expect(statSync(at("a"), { bigint: true }).ino).toBe(before.ino);
});

test("a removal takes the folders along that are empty then", () => {
  mkdirSync(at("x/y"), { recursive: true });
  writeFileSync(at("x/y/f"), "f");
  writeFileSync(at("x/other"), "");
  expect(run({ path: at("x/y/f"), before: "f", after: null, emptied: [at("x/y"), at("x")] }).ok).toBe(true);
  expect(existsSync(at("x/y"))).toBe(false);
  expect(existsSync(at("x/other"))).toBe(true);
});
