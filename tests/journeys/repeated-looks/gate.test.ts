import { afterEach, expect, test } from "bun:test";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  asHarnessCalls,
  type Happening,
  type WrittenHarness,
  writtenHarnesses,
} from "../../cases/written-transcript.ts";
import { tama } from "../tama-command.ts";
import { type ToldSession, tellSession } from "../told-session.ts";

/** A repeated look is not work (spec: conduct gates): the preset `standalone`, declared and driven through the built core. */
let open: ToldSession | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

async function begin(harness: WrittenHarness): Promise<ToldSession> {
  open = await tellSession({ harness, declare: ["standalone"] });
  return open;
}

const repeated = { verdict: "refuse", blockedHookId: "block-wait-polling" };

for (const one of writtenHarnesses) {
  test(`${one}: the first look passes, the same look is refused with its answer, and passes after a change`, async () => {
    const session = await begin(one);
    await session.happens({ person: "what is there?" });
    expect(await session.calls("git status --short", " M a.ts")).toMatchObject({ verdict: "pass" });
    expect(await session.calls("ls", "a.ts")).toMatchObject({ verdict: "pass" });
    const refused = await session.calls("git status --short");
    expect(refused).toMatchObject(repeated);
    expect(refused["reason"]).toMatch(
      /^BLOCKED: this exact call already ran at \S+ and nothing this session did since/,
    );
    expect(refused["reason"]).toContain(" M a.ts");
    expect(await session.calls("git commit -am wip", "[main 1] wip")).toMatchObject({ verdict: "pass" });
    expect(await session.calls("git status --short", "")).toMatchObject({ verdict: "pass" });
    expect(await session.calls("git status --short")).toMatchObject(repeated);
    await session.happens({ person: "and now?" });
    expect(await session.calls("git status --short", "")).toMatchObject({ verdict: "pass" });
  });

  test(`${one}: what the repeat rule keeps of a refused look is lifted by a compaction and by a wait`, async () => {
    const session = await begin(one);
    await session.calls("cat README.md", "# app");
    expect(await session.calls("cat README.md")).toMatchObject(repeated);
    expect(await session.calls("cat README.md")).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
    await session.happens({ compact: "summary" });
    expect(await session.calls("cat README.md", "# app")).toMatchObject({ verdict: "pass" });
    expect(await session.calls("cat README.md")).toMatchObject(repeated);
    expect(await session.calls("tama wait -- gh run view 7", "done")).toMatchObject({ verdict: "pass" });
    expect(await session.calls("cat README.md", "# app")).toMatchObject({ verdict: "pass" });
  });

  test(`${one}: what another agent of the session changed lifts a look, and what it looked at does not`, async () => {
    const session = await begin(one);
    const common = { session: "s", agent: "sub", agentId: "helper", cwd: session.world.root };
    const helper = async (command: string): Promise<void> => {
      const call = { ...common, ...asHarnessCalls(one, { tool: "bash", input: { command } }), call: `h ${command}` };
      expect(await session.core.dispatch("tool_call", call)).toMatchObject({ verdict: "pass" });
      await session.core.dispatch("tool_result", { ...call, isError: false, text: "" });
    };
    await session.calls("git status --short", "");
    await helper("cat README.md");
    expect(await session.calls("git status --short")).toMatchObject(repeated);
    await helper("touch new.ts");
    expect(await session.calls("git status --short", "?? new.ts")).toMatchObject({ verdict: "pass" });
  });

  test(`${one}: an ending that was sent back is earned by work, not by a repeated look`, async () => {
    const session = await begin(one);
    await session.happens({ person: "do it" });
    await session.calls("cat a.ts", "1");
    expect(await session.stops("It is done.")).toMatchObject({ verdict: "pass" });
    await session.happens({ refusedStop: "BLOCKED: work remains" });
    await session.calls("cat a.ts");
    expect(await session.stops("It is done.")).toMatchObject({ verdict: "refuse", blockedHookId: "block-idle-answer" });
    await session.calls("cat b.ts", "2");
    expect(await session.stops("It is done.")).toMatchObject({ verdict: "pass" });
  });

  test(`${one}: a broken line refuses with its byte until the operator accepts it; an ending is not judged`, async () => {
    const session = await begin(one);
    await session.calls("cat a.ts", "1");
    const byte = statSync(session.transcript).size;
    const broken = `{"type":"mess\n`;
    appendFileSync(session.transcript, broken);
    const common = { session: "s", agent: "main", cwd: session.world.root, transcript: session.transcript };
    const asked = asHarnessCalls(one, { tool: "bash", input: { command: "ls" } });
    const ask = () => session.core.dispatch("tool_call", { ...common, ...asked, call: "x" });
    const refused = await ask();
    expect(refused).toMatchObject(repeated);
    expect(refused["reason"]).toStartWith(
      `BLOCKED: the session transcript ${session.transcript} cannot be read as records, so whether this call repeats a look cannot be told: the line starting at byte ${byte} is not a JSON record: `,
    );
    expect(await session.core.dispatch("stop", { ...common, answer: "Done." })).toMatchObject({ verdict: "pass" });
    const accept = ["transcript", "accept", String(byte), "--session", "s", "--because", "a torn write"];
    expect(await tama(session.world, ["transcript", "accept", "1", ...accept.slice(3)])).toMatchObject({ code: 1 });
    expect(await tama(session.world, accept)).toMatchObject({ code: 0, stderr: "" });
    expect(await ask()).toMatchObject({ verdict: "pass" });
  });
}

// Codex's patches ask for nothing of the kind.
for (const one of writtenHarnesses.filter((harness) => harness !== "codex")) {
  test(`${one}: an edit that asks for its file to be read lets it be read`, async () => {
    const session = await begin(one);
    const read = { tool: "read", input: { path: "a.ts" } };
    const edit = { tool: "edit", input: { path: "a.ts", old: "1", new: "2" } };
    await session.calls(read, "1");
    expect(await session.calls(read)).toMatchObject(repeated);
    await session.calls(edit, "Error: text not found", true);
    expect(await session.calls(read)).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
    const again = { ...edit, input: { ...edit.input, new: "3" } };
    await session.calls(again, "File has not been read yet. Read it first before writing to it.", true);
    expect(await session.calls(again)).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
    expect(await session.calls(read, "1")).toMatchObject({ verdict: "pass" });
    expect(await session.calls(again, "done")).toMatchObject({ verdict: "pass" });
  });
}

test("a long transcript is read once, and then only what was appended", async () => {
  const session = await begin("omp");
  const many: Happening[] = Array.from({ length: 400 }, (_one, at) => ({
    call: { tool: "bash", input: { command: `cat f${at}` } },
    answer: { isError: false, text: "x".repeat(500) },
  }));
  await session.happens(...many);
  const index = join(session.world.home, "transcripts", "s.json");
  expect(await session.calls("cat f9")).toMatchObject(repeated);
  const kept = JSON.parse(readFileSync(index, "utf8")) as { saved: { offset: number } };
  expect(kept.saved.offset).toBeGreaterThan(200_000);
  // A cache: damaged, it is made anew.
  writeFileSync(index, "{");
  expect(await session.calls("cat f11")).toMatchObject(repeated);
});

test("tama transcript read shows what happened, and where it is broken", async () => {
  const session = await begin("claude-code");
  await session.happens({ person: "what is there?" });
  await session.calls("ls", "a.ts");
  const read = await tama(session.world, ["transcript", "read", session.transcript]);
  expect(read).toMatchObject({ code: 0, stderr: "" });
  expect(read.stdout).toMatch(/person +what is there\?/);
  expect(read.stdout).toMatch(/answer +→ Bash ls/);
  expect(read.stdout).toMatch(/ok +a\.ts/);
  const byte = statSync(session.transcript).size;
  appendFileSync(session.transcript, "junk\n");
  const broken = await tama(session.world, ["transcript", "read", session.transcript, "--json"]);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain(`starting at byte ${byte} is not a JSON record`);
  expect(broken.stdout.split("\n").filter((line) => line !== "")).toHaveLength(3);
});
