import { expect, test } from "bun:test";
import { parseDuration } from "./duration.ts";

const durations: readonly (readonly [string, number | null])[] = [
  ["10s", 10_000],
  ["2m", 120_000],
  ["1h", 3_600_000],
  ["500ms", 500],
  ["1m30s", 90_000],
  ["1.5h", 5_400_000],
  ["0.5s", 500],
  ["", null],
  ["10", null],
  ["0s", null],
  ["-1s", null],
  ["1 s", null],
  ["1s ", null],
  ["1d", null],
  ["s", null],
  ["1.s", null],
  ["1e3s", null],
  ["597h", null],
];

for (const [text, wanted] of durations)
  test(`${JSON.stringify(text)} is ${wanted === null ? "no duration" : `${wanted} ms`}`, () =>
    expect(parseDuration(text)).toBe(wanted));
