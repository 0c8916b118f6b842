import { expect, test } from "bun:test";
import { type LookKind, lookKind, sleeps } from "./look-kind.ts";

test("a look is of files here, of what changes by itself, or of a program nobody knows", () => {
  const rows: readonly (readonly [string, LookKind])[] = [
    ["cat a | grep b", "local"],
    ["git status", "local"],
    ["git ls-remote origin", "outside"],
    ["sleep 5; cat log", "outside"],
    ["gh run view 1", "outside"],
    ["./check.sh", "unknown"],
  ];
  for (const [command, kind] of rows)
    expect([command, lookKind("omp", "bash", { command }, false)]).toEqual([command, kind]);
  expect(lookKind("claude-code", "Read", { file_path: "a" }, false)).toBe("local");
  expect(lookKind("claude-code", "WebFetch", { url: "x" }, false)).toBe("outside");
  expect(lookKind("claude-code", "mcp__ci__status", {}, false)).toBe("unknown");
});

test("whoever sleeps between two looks at a file waits for what somebody else writes there", () => {
  expect(lookKind("claude-code", "Bash", { command: "grep -c done run.log" }, true)).toBe("outside");
  expect(lookKind("claude-code", "Bash", { command: "./check.sh" }, true)).toBe("unknown");
  const slept = ["sleep 60", "sleep 5; tail log", "timeout 9 sleep 3"];
  for (const command of [...slept, "grep sleep a.ts", "echo 'sleep 5'"])
    expect([command, sleeps("omp", "bash", { command })]).toEqual([command, slept.includes(command)]);
  expect(sleeps("omp", "read", { path: "sleep" })).toBe(false);
});
