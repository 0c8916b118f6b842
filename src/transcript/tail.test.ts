import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "./entry.ts";
import type { Fold } from "./resume.ts";
import { foldSince, lastAnswer, positionOf } from "./tail.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-tail-"));
  path = join(folder, "s.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const says = (id: string, role = "assistant", more: object = {}): string =>
  `${JSON.stringify({ type: "message", id, message: { role, content: `said ${id}`, ...more } })}\n`;
const texts: Fold<string[]> = {
  empty: () => [],
  take: (state, entry: Entry) => {
    if (entry.kind === "answer") state.push(entry.text);
  },
};
const request = () => ({ path, harness: "omp", accepted: new Set<number>() });

function position() {
  const found = positionOf(path);
  if (!found.ok || found.value === null) throw new Error("no position");
  return found.value;
}

test("what was written since a position, also where the position stands in a line being written", () => {
  writeFileSync(path, says("a") + says("b").slice(0, 20));
  const since = position();
  expect(since.lastEntry).toBe("a");
  appendFileSync(path, says("b").slice(20) + says("c"));
  expect(foldSince(request(), since, texts)).toEqual({ ok: true, value: ["said b", "said c"] });
});

test("a replaced file is searched for the entry; without it nothing is measured", () => {
  writeFileSync(path, says("a") + says("b"));
  const since = position();
  writeFileSync(`${path}.new`, says("a", "assistant", { retryRecovery: { attempts: 2 } }) + says("b") + says("c"));
  renameSync(`${path}.new`, path);
  expect(foldSince(request(), since, texts)).toEqual({ ok: true, value: ["said c"] });
  writeFileSync(path, says("x"));
  expect(foldSince(request(), since, texts)).toMatchObject({ ok: false });
  rmSync(path);
  expect(foldSince(request(), since, texts)).toEqual({ ok: false, cause: "it is not there" });
});

test("a broken line after the position is an error with its byte, before it none", () => {
  writeFileSync(path, `junk\n${says("a")}`);
  const since = position();
  appendFileSync(path, says("b"));
  expect(foldSince(request(), since, texts)).toEqual({ ok: true, value: ["said b"] });
  appendFileSync(path, "junk\n");
  const found = foldSince(request(), since, texts);
  expect(found.ok ? "" : found.cause).toContain("starting at byte ");
});

test("the last answer, however far back", () => {
  writeFileSync(path, says("a"));
  expect(lastAnswer(request())).toMatchObject({ value: { text: "said a" } });
  appendFileSync(path, says("u", "user").repeat(20_000));
  expect(lastAnswer(request())).toMatchObject({ value: { text: "said a" } });
  appendFileSync(path, says("b", "assistant", { stopReason: "error", errorMessage: "no" }));
  expect(lastAnswer(request())).toMatchObject({ value: { stopReason: "error", errorMessage: "no" } });
  appendFileSync(path, "junk\n");
  expect(lastAnswer(request()).ok).toBe(false);
  rmSync(path);
  expect(lastAnswer(request())).toEqual({ ok: true, value: null });
});
