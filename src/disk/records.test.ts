import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { appendLine } from "./append-line.ts";
import { readRecord } from "./read-record.ts";
import { replaceFile, sweepTemporaries } from "./replace-file.ts";
import { updateRecord } from "./update-record.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-disk-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const counted = v.looseObject({ count: v.number() });
const cause = (result: { readonly ok: boolean; readonly cause?: string }): string =>
  result.ok ? "ok" : `${result.cause}`;

test("an absent record is null; one that is there and cannot be read or decoded is an error naming path and cause", () => {
  const path = join(folder, "r.json");
  expect(readRecord(path, counted)).toEqual({ ok: true, value: null });
  for (const [content, expected] of [
    ["", /^cannot decode .*r\.json: /],
    ["{", /^cannot decode .*r\.json: /],
    ["null", /^cannot decode .*r\.json: record: /],
    ["[]", /^cannot decode .*r\.json: record: expected an object, got a list$/],
    ["{}", /^cannot decode .*r\.json: record\.count: missing$/],
    ['{"count":"1"}', /^cannot decode .*r\.json: record\.count: expected number, got "1"$/],
  ] as const) {
    writeFileSync(path, content);
    expect(cause(readRecord(path, counted))).toMatch(expected);
  }
  writeFileSync(path, Buffer.from([0xff]));
  expect(cause(readRecord(path, counted))).toMatch(/^cannot read .*r\.json: /);
  rmSync(path);
  mkdirSync(path);
  expect(cause(readRecord(path, counted))).toBe(`cannot read ${path}: it is no regular file`);
  expect(cause(readRecord(join(folder, "r.json", "x", "y"), counted))).toBe("ok");
});

test("no link is followed, neither to read nor to write nor to append", async () => {
  const target = join(folder, "target");
  writeFileSync(target, '{"count":1}');
  const link = join(folder, "link.json");
  symlinkSync(target, link);
  expect(cause(readRecord(link, counted))).toBe(`cannot read ${link}: it is a symbolic link`);
  expect(cause(await updateRecord(link, counted, () => ({ count: 2 })))).toContain("symbolic link");
  expect(cause(appendLine(link, "x"))).toStartWith(`cannot append to ${link}: `);
  expect(readFileSync(target, "utf8")).toBe('{"count":1}');
  // Replacing puts a file in the link's place and leaves what it pointed to.
  expect(replaceFile(link, "new").ok).toBe(true);
  expect(lstatSync(link).isSymbolicLink()).toBe(false);
  expect(readFileSync(target, "utf8")).toBe('{"count":1}');
});

test("a replaced file is private, whole, and leaves no temporary; one that fails leaves the old", () => {
  const path = join(folder, "f");
  expect(replaceFile(path, "one").ok).toBe(true);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(replaceFile(path, "two").ok).toBe(true);
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["two", ["f"]]);
  mkdirSync(join(folder, "d"));
  expect(cause(replaceFile(join(folder, "d"), "x"))).toStartWith(`cannot write ${folder}/d: `);
  expect(cause(replaceFile(join(folder, "no", "f"), "x"))).toStartWith(`cannot write ${folder}/no/f: `);
  expect(readdirSync(folder).sort()).toEqual(["d", "f"]);
});

test("temporaries of a writer that is gone are swept, others are left", () => {
  const gone = Bun.spawnSync(["/bin/sh", "-c", "echo $$"]).stdout.toString().trim();
  const left = [`.r.json.${gone}.0123456789ab.tmp`, `.r.json.${process.pid}.0123456789ab.tmp`, ".r.json.tmp", "r.json"];
  for (const name of left) writeFileSync(join(folder, name), "");
  sweepTemporaries(folder);
  expect(left.map((name) => existsSync(join(folder, name)))).toEqual([false, true, true, true]);
});

test("updates of one record at once lose nothing; null leaves the file as it is", async () => {
  const path = join(folder, "r.json");
  await Promise.all(
    Array.from({ length: 50 }, () => updateRecord(path, counted, (record) => ({ count: (record?.count ?? 0) + 1 }))),
  );
  expect(readRecord(path, counted)).toEqual({ ok: true, value: { count: 50 } });
  const before = lstatSync(path).ino;
  expect((await updateRecord(path, counted, () => null)).ok).toBe(true);
  expect(lstatSync(path).ino).toBe(before);
});

test("a change that throws frees the lock", async () => {
  const path = join(folder, "r.json");
  const thrown = updateRecord(path, counted, () => {
    throw new Error("no");
  });
  expect(await thrown.catch((error: Error) => error.message)).toBe("no");
  expect((await updateRecord(path, counted, () => ({ count: 1 }))).ok).toBe(true);
});

test("a line after a torn one begins anew", () => {
  const path = join(folder, "log.jsonl");
  writeFileSync(path, '{"a":1}\n{"torn":');
  appendLine(path, '{"b":2}');
  appendLine(path, '{"c":3}');
  expect(readFileSync(path, "utf8").split("\n")).toEqual(['{"a":1}', '{"torn":', '{"b":2}', '{"c":3}', ""]);
});
