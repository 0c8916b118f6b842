import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFromEnd } from "./find-from-end.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-tail-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const nameOf = (record: unknown): string | null =>
  typeof record === "object" && record !== null && "name" in record ? String(record.name) : null;

function look(text: string, mark = '"wanted"'): unknown {
  const path = join(folder, "transcript.jsonl");
  writeFileSync(path, text);
  return findFromEnd(path, mark, nameOf);
}

const line = (name: string, mark = "wanted", filler = 0): string =>
  `${JSON.stringify({ name, mark, filler: "x".repeat(filler) })}\n`;

test("the newest record that fits is found, however far back within the reach", () => {
  for (const filler of [0, 100_000, 2_000_000]) {
    expect(look(line("older") + line("newer") + line("other", "unwanted", filler))).toEqual({
      ok: true,
      value: "newer",
    });
  }
  expect(look(line("first") + line("far", "unwanted", 17_000_000))).toEqual({ ok: true, value: null });
});

test("a record longer than a window is found whole", () => {
  expect(look(line("big", "wanted", 3_000_000))).toEqual({ ok: true, value: "big" });
  expect(look(line("before", "unwanted") + line("big", "wanted", 3_000_000))).toEqual({ ok: true, value: "big" });
});

test("a record that does not fit, or is torn, is passed over", () => {
  expect(look(`${line("good")}{"mark":"wanted"}\nnot json "wanted"\n{"name":"torn","mark":"wanted"`)).toEqual({
    ok: true,
    value: "good",
  });
});

test("no file is nothing found; a folder is an error that names it", () => {
  expect(findFromEnd(join(folder, "none"), "x", nameOf)).toEqual({ ok: true, value: null });
  chmodSync(folder, 0o700);
  expect(findFromEnd(folder, "x", nameOf)).toMatchObject({ ok: false });
});
