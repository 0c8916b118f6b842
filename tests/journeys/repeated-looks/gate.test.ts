import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  asHarnessCalls,
  type Happening,
  type WrittenCall,
  type WrittenHarness,
  writtenHarnesses,
  writtenTranscript,
} from "../../cases/written-transcript.ts";
import { type DrivenCore, type Frame, startCore } from "../core-driver.ts";
import { makeWorld, tama, type World } from "../tama-command.ts";

/** A repeated look is not work (spec: conduct gates): the preset `standalone`, declared and driven through the built core. */
let world: World;
let core: DrivenCore;
let story: Happening[] = [];
let harness: WrittenHarness = "omp";

beforeEach(() => {
  world = makeWorld();
  story = [];
});
afterEach(async () => {
  await core.close();
  world.remove();
});

async function begin(under: WrittenHarness): Promise<void> {
  harness = under;
  const declared = await tama(world, ["hooks", "declare", "--preset", "standalone"]);
  expect(declared).toMatchObject({ code: 0 });
  core = await startCore(world, { harness });
}

const transcript = (): string => join(world.root, "s.jsonl");
const common = (): object => ({ session: "s", agent: "main", cwd: world.root, transcript: transcript() });
const shell = (command: string): WrittenCall => ({ tool: "bash", input: { command } });

function write(): void {
  writeFileSync(transcript(), writtenTranscript(harness, story, world.root));
}

/** What happened beside calls, as event and as record. */
async function happens(step: Happening): Promise<void> {
  story = [...story, step];
  write();
  if ("person" in step) await core.dispatch("input", { ...common(), text: step.person });
  if ("compact" in step) await core.dispatch("compact", { ...common(), summary: step.compact });
}

/** Asks a call as the harness does; where it is admitted it answers, by event and in the transcript. */
async function calls(call: WrittenCall, text = "ok", isError = false): Promise<Frame> {
  const id = `m${story.length}-0`;
  const event = { ...common(), ...asHarnessCalls(harness, call), call: id, message: `m${story.length}` };
  const answer = await core.dispatch("tool_call", event);
  const refused = answer["verdict"] !== "pass";
  const said = refused ? String(answer["reason"]) : text;
  story = [...story, { call, answer: { isError: refused || isError, text: said } }];
  write();
  if (!refused) await core.dispatch("tool_result", { ...event, isError, text });
  return answer;
}

async function stops(answer: string): Promise<Frame> {
  story = [...story, { says: answer }];
  write();
  const given = await core.dispatch("stop", { ...common(), answer });
  if (given["verdict"] === "refuse") story = [...story, { refusedStop: String(given["reason"]) }];
  write();
  return given;
}

const repeated = { verdict: "refuse", blockedHookId: "block-wait-polling" };

for (const one of writtenHarnesses) {
  test(`${one}: the first look passes, the same look is refused with its answer, and passes after a change`, async () => {
    await begin(one);
    await happens({ person: "what is there?" });
    expect(await calls(shell("git status --short"), " M a.ts")).toMatchObject({ verdict: "pass" });
    expect(await calls(shell("ls"), "a.ts")).toMatchObject({ verdict: "pass" });
    const refused = await calls(shell("git status --short"));
    expect(refused).toMatchObject(repeated);
    expect(refused["reason"]).toMatch(
      /^BLOCKED: this exact call already ran at \S+ and nothing this session did since/,
    );
    expect(refused["reason"]).toContain(" M a.ts");
    expect(await calls(shell("git commit -am wip"), "[main 1] wip")).toMatchObject({ verdict: "pass" });
    expect(await calls(shell("git status --short"), "")).toMatchObject({ verdict: "pass" });
    expect(await calls(shell("git status --short"))).toMatchObject(repeated);
    await happens({ person: "and now?" });
    expect(await calls(shell("git status --short"), "")).toMatchObject({ verdict: "pass" });
  });

  test(`${one}: what the repeat rule keeps of a refused look is lifted by a compaction and by a wait`, async () => {
    await begin(one);
    await calls(shell("cat README.md"), "# app");
    expect(await calls(shell("cat README.md"))).toMatchObject(repeated);
    expect(await calls(shell("cat README.md"))).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
    await happens({ compact: "summary" });
    expect(await calls(shell("cat README.md"), "# app")).toMatchObject({ verdict: "pass" });
    expect(await calls(shell("cat README.md"))).toMatchObject(repeated);
    expect(await calls(shell("tama wait -- gh run view 7"), "done")).toMatchObject({ verdict: "pass" });
    expect(await calls(shell("cat README.md"), "# app")).toMatchObject({ verdict: "pass" });
  });

  test(`${one}: an ending that was sent back is earned by work, not by a repeated look`, async () => {
    await begin(one);
    await happens({ person: "do it" });
    await calls(shell("cat a.ts"), "1");
    expect(await stops("It is done.")).toMatchObject({ verdict: "pass" });
    await happens({ refusedStop: "BLOCKED: work remains" });
    await calls(shell("cat a.ts"));
    expect(await stops("It is done.")).toMatchObject({ verdict: "refuse", blockedHookId: "block-idle-answer" });
    await calls(shell("cat b.ts"), "2");
    expect(await stops("It is done.")).toMatchObject({ verdict: "pass" });
  });

  test(`${one}: a broken line refuses with its byte until the operator accepts it; an ending is not judged`, async () => {
    await begin(one);
    await calls(shell("cat a.ts"), "1");
    const byte = statSync(transcript()).size;
    const broken = `{"type":"mess\n`;
    appendFileSync(transcript(), broken);
    const ask = () => core.dispatch("tool_call", { ...common(), ...asHarnessCalls(harness, shell("ls")), call: "x" });
    const refused = await ask();
    expect(refused).toMatchObject(repeated);
    expect(refused["reason"]).toStartWith(
      `BLOCKED: the session transcript ${transcript()} cannot be read as records, so whether this call repeats a look cannot be told: the line starting at byte ${byte} is not a JSON record: `,
    );
    expect(await core.dispatch("stop", { ...common(), answer: "Done." })).toMatchObject({ verdict: "pass" });
    const accept = ["transcript", "accept", String(byte), "--session", "s", "--because", "a torn write"];
    expect(await tama(world, ["transcript", "accept", "1", ...accept.slice(3)])).toMatchObject({ code: 1 });
    expect(await tama(world, accept)).toMatchObject({ code: 0, stderr: "" });
    expect(await ask()).toMatchObject({ verdict: "pass" });
  });
}

test("a long transcript is read once, and then only what was appended", async () => {
  await begin("omp");
  story = Array.from({ length: 400 }, (_one, at) => ({
    call: shell(`cat f${at}`),
    answer: { isError: false, text: "x".repeat(500) },
  }));
  expect(await calls(shell("cat f7"))).toMatchObject({ verdict: "pass" });
  const index = join(world.home, "transcripts", "s.json");
  write();
  expect(await calls(shell("cat f9"))).toMatchObject(repeated);
  const kept = JSON.parse(readFileSync(index, "utf8")) as { saved: { offset: number } };
  expect(kept.saved.offset).toBeGreaterThan(200_000);
  // A cache: damaged, it is made anew.
  writeFileSync(index, "{");
  expect(await calls(shell("cat f11"))).toMatchObject(repeated);
});

test("tama transcript read shows what happened, and where it is broken", async () => {
  await begin("claude-code");
  await happens({ person: "what is there?" });
  await calls(shell("ls"), "a.ts");
  const read = await tama(world, ["transcript", "read", transcript()]);
  expect(read).toMatchObject({ code: 0, stderr: "" });
  expect(read.stdout).toMatch(/person +what is there\?/);
  expect(read.stdout).toMatch(/answer +→ Bash ls/);
  expect(read.stdout).toMatch(/ok +a\.ts/);
  const byte = statSync(transcript()).size;
  appendFileSync(transcript(), "junk\n");
  const broken = await tama(world, ["transcript", "read", transcript(), "--json"]);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain(`starting at byte ${byte} is not a JSON record`);
  expect(broken.stdout.split("\n").filter((line) => line !== "")).toHaveLength(3);
});
