import { expect, test } from "bun:test";
import { canWaitLong, liftTheClock, startedToPrint, stayInTheForeground } from "./own-settings.ts";

for (const [words, terminal, prints] of [
  ["omp", true, false],
  ["omp", false, true],
  ["omp -p hello", true, true],
  ["omp --print hello", true, true],
  ["omp --mode rpc", false, false],
  ["omp --mode=rpc", false, false],
  ["omp --mode json hello", true, true],
  ["omp --mode=text hello", true, true],
  ["omp --mode", true, false],
] as const)
  test(`"${words}" ${terminal ? "in a terminal" : "without one"} ${prints ? "prints and ends" : "goes on"}`, () => {
    expect(startedToPrint(words.split(" "), terminal)).toBe(prints);
  });

test("OMP's settings are overridden where there are any, and nothing fails where there are none", () => {
  const kept = new Map<string, unknown>();
  const settings = {
    override: (path: string, value: unknown) => void kept.set(path, value),
    get: (path: string) => kept.get(path),
  };
  const pi = { on: () => {}, pi: { settings } };
  expect(canWaitLong(pi)).toBe(false);
  liftTheClock(pi);
  expect(canWaitLong(pi)).toBe(true);
  stayInTheForeground(pi);
  expect(kept.get("async.enabled")).toBe(false);
  const failing = {
    override: () => {
      throw new Error("unknown setting");
    },
  };
  for (const other of [{ on: () => {} }, { on: () => {}, pi: null }, { on: () => {}, pi: { settings: failing } }]) {
    liftTheClock(other);
    stayInTheForeground(other);
    expect(canWaitLong(other)).toBe(false);
  }
});
