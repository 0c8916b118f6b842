import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entriesInParts } from "./entries-in-parts.ts";

const folder = mkdtempSync(join(tmpdir(), "tama-parts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("each entry's line is known by its byte, over blank lines, two records on a line and many parts", async () => {
  const row = (text: string): string =>
    JSON.stringify({ type: "user", uuid: text, promptSource: "typed", message: { role: "user", content: text } });
  const long = "x".repeat(300_000);
  const lines = [
    row("first"),
    "",
    `${row("two")}${row("on one")}`,
    "\r",
    ...Array.from({ length: 9 }, () => row(long)),
    row("ä"),
  ];
  const text = `\ufeff${lines.join("\n")}\n`;
  const path = join(folder, "many.jsonl");
  writeFileSync(path, text);
  const bytes = Buffer.from(text);
  let parts = 0;
  let entries = 0;
  for await (const part of entriesInParts(path, "claude-code")) {
    parts++;
    for (const { at } of part.entries) {
      entries++;
      expect(part.lines.get(at)).toBe(bytes.subarray(0, at).toString().split("\n").length);
    }
  }
  expect([entries, parts > 1]).toEqual([13, true]);
});
