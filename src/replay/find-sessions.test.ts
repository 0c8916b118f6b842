import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSessions } from "./find-sessions.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-found-"));
  for (const session of ["one", "two"]) mkdirSync(join(folder, session, "subagents"), { recursive: true });
  const files = [
    "one.jsonl",
    "one/subagents/agent-a1b2.jsonl",
    "one/subagents/agent-acompact-a1b2.jsonl",
    "one/subagents/agent-aside_question-a1b2.jsonl",
    "one/subagents/agent-aprompt_suggestion-a1b2.jsonl",
    "two/subagents/agent-acompact-a1b2.jsonl",
    "two/notes.txt",
  ];
  for (const file of files) writeFileSync(join(folder, file), "{}\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = (...words: readonly string[]): readonly string[] =>
  findSessions(words.map((word) => join(folder, word)))
    .files.map(({ path }) => path.slice(folder.length + 1))
    .sort();

test("a folder's sessions and their subagents, without the copies of a session that is there", () => {
  const whole = ["one.jsonl", "one/subagents/agent-a1b2.jsonl", "two/subagents/agent-acompact-a1b2.jsonl"];
  expect(found("")).toEqual(whole);
});

test("a file that is named is played whatever it is", () => {
  expect(found("one/subagents/agent-acompact-a1b2.jsonl")).toEqual(["one/subagents/agent-acompact-a1b2.jsonl"]);
});

test("a word that names nothing is told", () => {
  expect(findSessions([join(folder, "none")]).missing).toEqual([join(folder, "none")]);
});
