import { expect, test } from "bun:test";
import { didYouMean, nearestWord } from "./nearest-word.ts";

const verbs = ["run-hook", "hook", "hooks", "calls", "install", "uninstall", "status", "try", "why", "log"];

test("a slip of the hand, or a beginning, finds its word", () => {
  for (const [given, meant] of [
    ["call", "calls"],
    ["hoks", "hooks"],
    ["Status", "status"],
    ["sttaus", "status"],
    ["instal", "install"],
    ["uninst", "uninstall"],
    ["lgo", "log"],
    ["run", "run-hook"],
  ] as const)
    expect([given, nearestWord(given, verbs)]).toEqual([given, meant]);
});

test("another word finds none, however long", () => {
  for (const given of ["", "x", "desktop", "abc", "l", "--version", "h".repeat(100_000)])
    expect(nearestWord(given, verbs)).toBeNull();
});

test("the sentence", () => {
  expect(didYouMean("sesion", ["session"], (word) => `--${word}`)).toBe("; did you mean --session?");
  expect(didYouMean("zebra", ["session"])).toBe("");
});
