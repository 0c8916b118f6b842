import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { factLoader } from "../../src/facts/load-facts.ts";
import { type GateEnding, runGate } from "../../src/gates/run-gate.ts";
import { readEpisodes } from "./episode.ts";
import {
  asHarnessCalls,
  canTell,
  everyWrittenHarness,
  type Happening,
  type WrittenCall,
  type WrittenHarness,
  writtenTranscript,
} from "./written-transcript.ts";

/**
 * The same look, case by case, in each harness's own transcript: the real gate function over real files. The call asked is once absent
 * from the file, as under OMP, and once already in it, as under Claude Code; the verdict is the same.
 */
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-looks-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shell = (command: string): WrittenCall => ({ tool: "bash", input: { command } });
const ran = (command: string, text = "ok", isError = false): Happening => ({
  call: shell(command),
  answer: { isError, text },
});
const wrote: Happening = { call: { tool: "write", input: { path: "a.ts", content: "1" } }, answer: ok("done") };

const looked = (path: string): Happening => ({ call: { tool: "read", input: { path } }, answer: ok("1") });
const readFirst: Happening = {
  call: { tool: "edit", input: { path: "a.ts", old: "1", new: "2" } },
  answer: { isError: true, text: "File has not been read yet. Read it first before writing to it." },
};

function ok(text: string): { isError: boolean; text: string } {
  return { isError: false, text };
}

interface Case {
  readonly name: string;
  readonly story: readonly Happening[];
  readonly asked: WrittenCall;
  readonly refuse: boolean;
}

const handed: readonly Case[] = ["calls.jsonl", "own-looks.jsonl"]
  .flatMap(readEpisodes)
  .filter(({ expect: { by, verdict } }) => by === "block-wait-polling" || verdict === "pass")
  .map((one) => ({ name: one.name, story: one.steps, asked: one.then, refuse: one.expect.verdict === "refuse" }));

const own: readonly Case[] = [
  { name: "nothing looked at yet", story: [{ person: "go" }], asked: shell("pwd"), refuse: false },
  { name: "an edit between", story: [ran("cat a.ts"), wrote], asked: shell("cat a.ts"), refuse: false },
  {
    name: "an edit that failed changed nothing",
    story: [
      ran("cat a.ts"),
      { call: { tool: "edit", input: { path: "a.ts" } }, answer: { isError: true, text: "text not found in file" } },
    ],
    asked: shell("cat a.ts"),
    refuse: true,
  },
  {
    name: "an edit that asks for its file to be read lets it be read",
    story: [looked("a.ts"), looked("b.ts"), readFirst],
    asked: { tool: "read", input: { path: "a.ts" } },
    refuse: false,
  },
  {
    name: "and no other file",
    story: [looked("a.ts"), looked("b.ts"), readFirst],
    asked: { tool: "read", input: { path: "b.ts" } },
    refuse: true,
  },
  {
    name: "and lets it be read once",
    story: [looked("a.ts"), readFirst, looked("a.ts")],
    asked: { tool: "read", input: { path: "a.ts" } },
    refuse: true,
  },
  {
    name: "a refused call between changed nothing",
    story: [ran("cat a.ts"), ran("rm -rf build", "BLOCKED: not now", true)],
    asked: shell("cat a.ts"),
    refuse: true,
  },
  {
    name: "a command that failed half-way may have changed something",
    story: [ran("cat a.ts"), ran("npm install", "ERR!\nCommand exited with code 1", true)],
    asked: shell("cat a.ts"),
    refuse: false,
  },
  {
    name: "a harness continuation is no change",
    story: [ran("git status"), { refusedStop: "go on" }],
    asked: shell("git status"),
    refuse: true,
  },
  {
    name: "a person's own command is a person's act",
    story: [ran("git status"), { personRan: "git stash" }],
    asked: shell("git status"),
    refuse: false,
  },
  {
    name: "a wait between",
    story: [ran("cat log"), ran("tama wait -- cat log", "new")],
    asked: shell("cat log"),
    refuse: false,
  },
  {
    name: "a change that was cut off may have run",
    story: [ran("cat a.ts"), { call: shell("make install"), answer: null }, ran("ls")],
    asked: shell("cat a.ts"),
    refuse: false,
  },
  {
    name: "a look beside a change in one message is no look to rely on",
    story: [
      {
        batch: [
          { call: shell("cat a.ts"), answer: ok("x") },
          { call: shell("git pull"), answer: ok("updated") },
        ],
      },
    ],
    asked: shell("cat a.ts"),
    refuse: false,
  },
  {
    name: "a look that failed is the repeat rule's",
    story: [ran("cat none", "no such file\nCommand exited with code 1", true)],
    asked: shell("cat none"),
    refuse: false,
  },
  { name: "Tama's own commands stay open", story: [ran("tama status")], asked: shell("tama status"), refuse: false },
  { name: "the same words with other arguments", story: [ran("ls -a")], asked: shell("ls -l"), refuse: false },
  {
    name: "two unknown programs in turn",
    story: [ran("./a.sh"), ran("./b.sh")],
    asked: shell("./a.sh"),
    refuse: false,
  },
  {
    name: "a tool that acts by its name",
    story: [{ call: { tool: "mcp__web__browser_click", input: { ref: "next" } }, answer: ok("page 2") }],
    asked: { tool: "mcp__web__browser_click", input: { ref: "next" } },
    refuse: false,
  },
  {
    name: "a tool nothing is known of, asked again",
    story: [{ call: { tool: "mcp__ci__status", input: { run: 7 } }, answer: ok("queued") }],
    asked: { tool: "mcp__ci__status", input: { run: 7 } },
    refuse: true,
  },
  {
    name: "a look, repeated after many other looks",
    story: [ran("pwd"), ...many()],
    asked: shell("pwd"),
    refuse: true,
  },
];

function many(): readonly Happening[] {
  return Array.from({ length: 40 }, (_one, at) => ran(`ls d${at}`));
}

for (const harness of everyWrittenHarness) {
  describe(harness, () => {
    for (const one of [...handed, ...own]) {
      if (!canTell(harness, one.story)) continue;
      test(one.name, async () => {
        for (const inFile of [false, true]) {
          const ending = await ask(harness, one, inFile);
          expect({ inFile, code: ending.code, said: ending.code === 70 ? ending.stderr : "" }).toEqual({
            inFile,
            code: one.refuse ? 2 : 0,
            said: "",
          });
        }
      });
    }
  });
}

async function ask(harness: WrittenHarness, one: Case, inFile: boolean): Promise<GateEnding> {
  const story = inFile ? [...one.story, { call: one.asked, answer: null }] : one.story;
  const transcript = join(folder, `${Bun.hash(`${harness}${one.name}${inFile}`)}.jsonl`);
  writeFileSync(transcript, writtenTranscript(harness, story));
  const { tool, input } = asHarnessCalls(harness, one.asked);
  const call = inFile ? `m${one.story.length}-0` : "not-yet";
  const event = { event: "tool_call", session: one.name, cwd: "/srv/app", transcript, tool, input, call };
  const load = factLoader({
    tamaHome: join(folder, "home"),
    userHome: folder,
    cwd: folder,
    environment: {},
    clock: systemClock,
  });
  return await runGate("block-wait-polling", JSON.stringify({ ...event, tama: { harness } }), load);
}

test("the refusal says when, quotes the earlier answer whole, and how to go on", async () => {
  const answer = `first line\n${"x".repeat(5000)}\nlast line`;
  const ending = await ask(
    "omp",
    { name: "words", story: [ran("cat a", answer)], asked: shell("cat a"), refuse: true },
    false,
  );
  expect(ending.stderr).toStartWith(
    "BLOCKED: this exact call already ran at 2026-11-30T10:00:03.000Z and nothing this session did since could change its answer",
  );
  expect(ending.stderr).toContain(`It was answered: ${answer}`);
  expect(JSON.parse(ending.stdout)).toMatchObject({ evidence: answer });
});
