import { expect, test } from "bun:test";
import { type LookKind, lookKind } from "./look-kind.ts";

test("a look is of files here, of what changes by itself, or of a program nobody knows", () => {
  const rows: readonly (readonly [string, LookKind])[] = [
    ["cat a | grep b", "local"],
    ["git status", "local"],
    ["git ls-remote origin", "outside"],
    ["sleep 5; cat log", "outside"],
    ["gh run view 1", "outside"],
    ["./check.sh", "unknown"],
  ];
  for (const [command, kind] of rows) expect([command, lookKind("omp", "bash", { command })]).toEqual([command, kind]);
  expect(lookKind("claude-code", "Read", { file_path: "a" })).toBe("local");
  expect(lookKind("claude-code", "WebFetch", { url: "x" })).toBe("outside");
  expect(lookKind("claude-code", "mcp__ci__status", {})).toBe("unknown");
});
