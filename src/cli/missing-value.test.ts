import { expect, test } from "bun:test";
import { missingValue } from "./missing-value.ts";

const args = {
  session: { type: "string" },
  because: { type: "string" },
  json: { type: "boolean" },
  call: { type: "positional" },
} as const;

test("a flag at the end, or before another flag of the command, has no value", () => {
  for (const [line, flag] of [
    ["--session", "--session"],
    ["x --session s --because", "--because"],
    ["--because --session s", "--because"],
    ["--session --json", "--session"],
    ["--session -- x", "--session"],
    ["--because --session=s", "--because"],
  ] as const)
    expect(missingValue(args, line.split(" "))).toBe(`${flag} needs a value`);
});

test("values that look odd are values", () => {
  for (const words of [
    ["--session", "s", "--because", ""],
    ["--because=", "--session=s"],
    ["--because", "--not-a-flag-here", "--session", "-"],
    ["--json", "--session", "s"],
    ["--", "--session"],
    [],
  ])
    expect(missingValue(args, words)).toBeNull();
});
