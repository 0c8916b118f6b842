import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRealPaths } from "./real-paths.ts";

test("links are resolved as far as a path exists", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tama-real-paths-")));
  try {
    mkdirSync(join(root, "folder", "inner"), { recursive: true });
    writeFileSync(join(root, "folder", "file"), "");
    symlinkSync("folder", join(root, "link"));
    symlinkSync(join(root, "link", "inner"), join(root, "to-inner"));
    symlinkSync("nowhere", join(root, "dangling"));
    symlinkSync("circle", join(root, "circle"));
    const cases: readonly (readonly [string, string])[] = [
      ["folder/file", "folder/file"],
      ["link/file", "folder/file"],
      ["link/file/below", "folder/file/below"],
      ["to-inner/not/there", "folder/inner/not/there"],
      ["link/inner/../file", "folder/file"],
      ["dangling", "dangling"],
      ["dangling/below", "dangling/below"],
      ["circle/below", "circle/below"],
      ["absent", "absent"],
    ];
    const liesAt = openRealPaths();
    for (const [path, real] of [...cases, ...cases]) expect(liesAt(`${root}/${path}`)).toBe(join(root, real));
    expect(liesAt("/")).toBe("/");
    expect(liesAt(".")).toBe(realpathSync("."));
  } finally {
    rmSync(root, { recursive: true });
  }
});
