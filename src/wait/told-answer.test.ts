import { describe, expect, test } from "bun:test";
import type { Answer } from "./run-once.ts";
import { sameAsTold, toldAnswer } from "./told-answer.ts";

function answer(code: number, stdout = "", stderr = ""): Answer {
  return { code, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr), whole: true, digest: "" };
}

interface Case {
  readonly harness: string;
  readonly text: string;
  readonly isError?: true;
  readonly details?: object;
  readonly same: readonly Answer[];
  readonly other: readonly Answer[];
}

const cases: readonly Case[] = [
  {
    harness: "omp",
    text: "queued\n\n\nWall time: 0.10 seconds",
    same: [answer(0, "queued\n"), answer(0, "", "queued")],
    other: [answer(0, "done\n"), answer(1, "queued\n"), answer(0, ""), answer(0, "queued", "and more")],
  },
  {
    harness: "omp",
    text: "oops\n\n\nWall time: 0.01 seconds\n\nCommand exited with code 3",
    isError: true,
    same: [answer(3, "", "oops\n")],
    other: [answer(2, "", "oops\n"), answer(0, "oops")],
  },
  { harness: "omp", text: "(no output)\n\n\nWall time: 0.1 seconds", same: [answer(0)], other: [answer(0, "x")] },
  {
    harness: "claude-code",
    text: "Exit code 1\none\ntwo",
    isError: true,
    same: [answer(1, "one\n", "two\n"), answer(1, "two\n", "one\n"), answer(1, "one\ntwo\n")],
    other: [answer(0, "one\ntwo\n"), answer(1, "two\none\n")],
  },
  { harness: "claude-code", text: "Exit code 1", isError: true, same: [answer(1)], other: [answer(0)] },
  { harness: "claude-code", text: "(Bash completed with no output)", same: [answer(0)], other: [answer(1)] },
  {
    harness: "claude-code",
    text: "(Bash completed with no output)",
    details: { returnCodeInterpretation: "No matches found" },
    same: [answer(1)],
    other: [answer(0), answer(1, "found")],
  },
  {
    harness: "codex",
    text: "Chunk ID: 1a\nWall time: 0.0 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nred\n",
    same: [answer(0, "red\n")],
    other: [answer(1, "red\n"), answer(0, "green\n")],
  },
  {
    harness: "codex",
    text: "Exit code: 2\nWall time: 1 seconds\nOutput:\n",
    isError: true,
    same: [answer(2)],
    other: [answer(0)],
  },
  { harness: "codex", text: "red\n", details: { exit_code: 0 }, same: [answer(0, "red")], other: [answer(1, "red")] },
  { harness: "another", text: "red", same: [answer(0, "red"), answer(1, "red")], other: [answer(0, "green")] },
  {
    harness: "claude-code",
    text: "key ghp_[hidden by tama]  \n\u001b[31mred\u001b[0m",
    same: [answer(0, "key ghp_0123456789abcdefghijABCDEFGHIJ012345\nred\n")],
    other: [answer(0, "key\nred\n")],
  },
];

describe("a run beside what a harness told", () => {
  for (const { harness, text, isError, details, same, other } of cases)
    test(`${harness}: ${JSON.stringify(text)}`, () => {
      const told = toldAnswer({ harness, text, isError: isError ?? false, details, at: null });
      if (told === null) throw new Error("taken for cut");
      expect(same.map((one) => sameAsTold(told, one))).toEqual(same.map(() => true));
      expect(other.map((one) => sameAsTold(told, one))).toEqual(other.map(() => false));
    });

  for (const text of [
    "a\n\n... [812 characters truncated] ...\n\nb",
    "a\n[… 9 bytes left out here …]\nb",
    "b\n\n[Showing lines 3-9 of 9. Full output: out.txt]",
    "a…120 tokens truncated…b",
  ])
    test(`cut, so nothing is compared with it: ${JSON.stringify(text)}`, () =>
      expect(toldAnswer({ harness: "omp", text, isError: false, details: null, at: null })).toBeNull());
});
