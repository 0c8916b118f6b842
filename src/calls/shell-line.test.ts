import { expect, test } from "bun:test";
import { lineFolder, shellLine } from "./shell-line.ts";

const LINES: readonly (readonly [unknown, string | null])[] = [
  [{ command: "ls" }, "ls"],
  [{ cmd: "ls -l" }, "ls -l"],
  [{ command: ["bash", "-lc", "a | b"] }, "a | b"],
  [{ command: ["/bin/zsh", "-c", "a"] }, "a"],
  [{ command: ["git", "commit", "-m", "it's"] }, "'git' 'commit' '-m' 'it'\\''s'"],
  [{ command: ["bash", "-lc", "a", "b"] }, "'bash' '-lc' 'a' 'b'"],
  [{ action: { type: "exec", command: ["ls"] } }, "'ls'"],
  ["ls", "ls"],
  [{ command: "" }, ""],
  [{ command: 5 }, null],
  [{ command: [] }, null],
  [{ command: ["ls", 5] }, null],
  [{}, null],
  [null, null],
];

for (const [input, line] of LINES) test(JSON.stringify(input), () => expect(shellLine(input)).toBe(line));

test("the folder a call names beside its line", () => {
  expect(lineFolder({ command: "ls", workdir: "/a" })).toBe("/a");
  expect(lineFolder({ command: "ls", dir_path: "src", description: "x" })).toBe("src");
  expect(lineFolder({ command: "ls", cwd: "" })).toBeNull();
  expect(lineFolder("ls")).toBeNull();
});
