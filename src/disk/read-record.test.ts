import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTextFile } from "./read-text-file.ts";

test("only a missing name is no record; whatever else stands in the way is an error", () => {
  const root = mkdtempSync(join(tmpdir(), "tama-read-record-"));
  try {
    writeFileSync(join(root, "file"), "text");
    mkdirSync(join(root, "folder"));
    symlinkSync("file", join(root, "link"));
    symlinkSync("nowhere", join(root, "dangling"));
    writeFileSync(join(root, "bytes"), Buffer.from([0x22, 0xff, 0x22]));
    expect(readTextFile(join(root, "file"))).toEqual({ ok: true, value: "text" });
    expect(readTextFile(join(root, "absent"))).toEqual({ ok: true, value: null });
    expect(readTextFile(join(root, "absent", "below"))).toEqual({ ok: true, value: null });
    for (const name of ["file/below", "folder", "link", "dangling", "bytes"])
      expect(readTextFile(join(root, name))).toMatchObject({ ok: false, cause: expect.stringContaining(name) });
  } finally {
    rmSync(root, { recursive: true });
  }
});
