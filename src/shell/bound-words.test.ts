import { describe, expect, test } from "bun:test";
import { bindsShellLine, bindsToolName } from "./bound-words.ts";

describe("a defect's words bind a shell line", () => {
  const bound: readonly (readonly [string, string])[] = [
    ["make start-worker", "make start-worker"],
    ["make start-worker", "cd app && CI=1 env X=2 timeout 10 make start-worker -j4 2>&1 | tail"],
    ["make", "make anything"],
    ["npm run build", "bash -lc 'npm run build'"],
    ["git", "/usr/bin/git status"],
    ["/usr/bin/git", "git status"],
    ["./check.sh", "check.sh --all"],
    ["scripts/check.sh", "./scripts/check.sh"],
    ["sudo make install", "make install"],
    ["ssh box", 'ssh box "make start-worker"'],
    ["rm 'a b'", "rm 'a b'"],
    ["gh run view", "tama wait --session s -- gh run view 1"],
    ["make deploy", "if make deploy"],
  ];
  for (const [words, line] of bound)
    test(`${words} binds ${line}`, () => expect(bindsShellLine(words, line)).toBe(true));

  const free: readonly (readonly [string, string])[] = [
    ["make start-worker", "make start"],
    ["make start", "make start-worker"],
    ["make start-worker", "make"],
    ["make", "echo make"],
    ["make", "cmake ."],
    ["a/check.sh", "b/check.sh"],
    ["npm run build", "npm run $TARGET"],
    ["", "make"],
    ["  ", "make"],
  ];
  for (const [words, line] of free)
    test(`${words} leaves ${line} free`, () => expect(bindsShellLine(words, line)).toBe(false));
});

test("other tools are bound by their name, in any case", () => {
  expect(bindsToolName("file_delete", "file_delete")).toBe(true);
  expect(bindsToolName(" WebFetch ", "webfetch")).toBe(true);
  expect(bindsToolName("file", "file_delete")).toBe(false);
  expect(bindsToolName("", "")).toBe(false);
});
