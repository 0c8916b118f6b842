import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCache, writeCache } from "./cache-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("what was written is read, private to its owner, with its folder made", () => {
  const path = join(folder, "a", "c.json");
  writeCache(path, { n: 1 });
  writeCache(path, { n: 2 });
  expect(readCache(path)).toEqual({ n: 2 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "a"))).toEqual(["c.json"]);
});

test("what is not there, is damaged or cannot be written is no cache, and no error", () => {
  expect(readCache(join(folder, "none.json"))).toBeNull();
  writeFileSync(join(folder, "bad.json"), "{");
  expect(readCache(join(folder, "bad.json"))).toBeNull();
  writeFileSync(join(folder, "file"), "");
  writeCache(join(folder, "file", "c.json"), 1);
});

test("a link in the folder's place is not followed", () => {
  mkdirSync(join(folder, "outside"));
  symlinkSync(join(folder, "outside"), join(folder, "linked"));
  writeCache(join(folder, "linked", "c.json"), 1);
  expect(readdirSync(join(folder, "outside"))).toEqual([]);
});
