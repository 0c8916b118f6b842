import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linesHolding } from "./lines-holding.ts";

const folder = mkdtempSync(join(tmpdir(), "tama-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "log");

test("only whole lines that are new are counted, each once", () => {
  expect(linesHolding(path, "call", 0)).toEqual({ ok: true, value: { count: 0, end: 0 } });
  writeFileSync(path, "call call\nother\ncall\ncal");
  expect(linesHolding(path, "call", 0)).toEqual({ ok: true, value: { count: 2, end: 21 } });
  appendFileSync(path, "l\n");
  expect(linesHolding(path, "call", 21)).toEqual({ ok: true, value: { count: 1, end: 26 } });
  expect(linesHolding(path, "call", 26)).toEqual({ ok: true, value: { count: 0, end: 26 } });
});

test("a file that became shorter is counted from its end, one that cannot be read is an error", () => {
  writeFileSync(path, "call\n");
  expect(linesHolding(path, "call", 26)).toEqual({ ok: true, value: { count: 0, end: 5 } });
  expect(linesHolding(folder, "call", 0)).toMatchObject({ ok: false });
});
