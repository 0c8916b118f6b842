import { expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readToEnd } from "./descriptors.ts";

test("a file is read whole, however many bytes were expected", () => {
  const folder = mkdtempSync(join(tmpdir(), "tama-descriptors-"));
  try {
    for (const size of [0, 1, 100, 65536, 200_000]) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, at) => at % 251));
      const path = join(folder, String(size));
      writeFileSync(path, bytes);
      for (const expected of [0, 1, size, size + 1000, undefined]) {
        const descriptor = openSync(path, "r");
        expect(Buffer.compare(readToEnd(descriptor, expected), bytes)).toBe(0);
        closeSync(descriptor);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
