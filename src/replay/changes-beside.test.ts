import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Happening, type WrittenHarness, writtenTranscript } from "../../tests/cases/written-transcript.ts";
import { systemClock } from "../base/clock.ts";
import { filesBeside } from "./changes-beside.ts";
import { gatesAsked } from "./gates-asked.ts";
import { playSession } from "./play-session.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tama-beside-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const done = (tool: string, input: object): Happening => ({
  call: { tool, input },
  answer: { isError: false, text: "ok" },
});
const failing: Happening = {
  call: { tool: "bash", input: { command: "npm test" } },
  answer: { isError: true, text: "Exit code 1\nboom" },
};
const look = done("bash", { command: "ls" });
const another = done("read", { path: "b.md" });
const write = done("write", { path: "a.md", content: "x" });

let count = 0;
/** Each call of a story takes two seconds, from the same hour on. */
async function refusals(main: Happening[], sub: Happening[], harness: WrittenHarness = "claude-code") {
  const folder = join(root, String(++count));
  const below = harness === "claude-code" ? "s/subagents/agent-a1.jsonl" : "s/0-Helper.jsonl";
  const write = (name: string, story: Happening[]): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, writtenTranscript(harness, story));
    return path;
  };
  const [path] = [write("s.jsonl", main), write(below, sub)];
  const sources = { tamaHome: root, userHome: root, cwd: root, environment: {}, clock: systemClock };
  const gates = await gatesAsked(["repeat", "block-wait-polling"]);
  const { refusals } = await playSession({ path, harness, gates, sources, onRead: () => {} });
  return refusals.map(({ gate }) => gate);
}

test("what a subagent's own file shows it to have changed meanwhile lifts a failed call and a look", async () => {
  for (const harness of ["claude-code", "omp"] as const) {
    expect(await refusals([failing, another, failing], [look, write], harness)).toEqual([]);
    expect(await refusals([failing, another, failing], [look, another], harness)).toEqual(["repeat"]);
    expect(await refusals([look, another, look], [another, write], harness)).toEqual([]);
    expect(await refusals([look, another, look], [another, look], harness)).toEqual(["block-wait-polling"]);
  }
});

test("what it changed before or afterwards lifts nothing", async () => {
  const later = [look, another, look, another, write];
  expect(await refusals([failing, another, failing], later)).toEqual(["repeat"]);
  expect(await refusals([another, look, failing, done("read", { path: "c.md" }), failing], [write])).toEqual([
    "repeat",
  ]);
});

test("a session's files are its own and all below its folder, seen from each of them", () => {
  const at = (name: string): string => join(root, "files", name);
  const names = ["s.jsonl", "s/subagents/agent-a.jsonl", "s/subagents/workflows/w/agent-b.jsonl", "t.jsonl"];
  for (const name of names) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), "");
  }
  const own = names.slice(0, 3);
  for (const name of own)
    expect(filesBeside(at(name)).toSorted()).toEqual(
      own
        .filter((one) => one !== name)
        .map(at)
        .toSorted(),
    );
  expect(filesBeside(at("t.jsonl"))).toEqual([]);
  rmSync(at("s.jsonl"));
  expect(filesBeside(at("s/subagents/agent-a.jsonl"))).toEqual([at("s/subagents/workflows/w/agent-b.jsonl")]);
});
