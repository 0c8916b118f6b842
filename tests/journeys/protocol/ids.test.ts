import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { type DrivenCore, startCore } from "../core-driver.ts";
import { declareHook, makeWorld, type World } from "../tama-command.ts";
import { until } from "../until.ts";

/** Ids, cancels and duplicates: each dispatch has exactly one answer (contract 2). */
const input = { tool: "bash", input: { command: "x" } };

async function withSlowHook(play: (core: DrivenCore, world: World, go: () => void) => Promise<void>): Promise<void> {
  const world = makeWorld();
  const script = world.script("slow", `echo started >&2; while [ ! -e ${world.root}/go ]; do sleep 0.01; done; exit 0`);
  await declareHook(world, { id: "slow", command: [script] });
  const core = await startCore(world);
  try {
    await play(core, world, () => world.write("go", ""));
  } finally {
    await core.close();
    world.remove();
  }
}

const answersTo = (core: DrivenCore, id: string): number => core.frames.filter((frame) => frame["id"] === id).length;

test("any nonempty string is an id, and comes back as it was", async () => {
  const world = makeWorld();
  const core = await startCore(world);
  for (const id of [
    "0",
    "null",
    "false",
    " ",
    "__proto__",
    "constructor",
    "toString",
    "\u0000",
    "\n",
    "\u2028",
    "\ud800",
    "é",
    "e\u0301",
    "😀",
    '"',
    "\\",
    "x".repeat(1_000_000),
  ]) {
    expect(await core.dispatch("tool_call", input, id)).toMatchObject({ id, ok: true, verdict: "pass" });
    expect(await core.dispatch("tool_call", input, id)).toMatchObject({ id, ok: true });
  }
  await core.close();
  world.remove();
});

test("the id of a running dispatch used again is a duplicate, whatever the line; after the answer it is free", () =>
  withSlowHook(async (core, _world, go) => {
    core.begin("tool_call", input, "e1");
    await core.progress("e1", "started");
    const again = [
      { id: "e1", op: "dispatch", event: "tool_call", payload: input },
      { id: "e1", op: "cancel", dispatchId: "other" },
      { id: "e1", op: "request", operation: "calls/failed", body: { session: "s" } },
      { id: "e1", op: "nonsense" },
      { id: "e1", op: "dispatch", event: "nonsense" },
    ];
    for (const [at, line] of again.entries()) {
      const before = core.frames.length;
      core.send(line);
      const duplicate = await core.frame("a duplicate", (frame) => core.frames.indexOf(frame) >= before);
      expect(duplicate).toEqual({
        id: null,
        ok: false,
        duplicateOf: "e1",
        error: `line ${at + 2}: dispatch "e1" is still running; its id cannot be used again before its answer`,
      });
    }
    go();
    expect(await core.answer("e1")).toMatchObject({ ok: true, verdict: "pass" });
    expect(answersTo(core, "e1")).toBe(1);
    core.send({ id: "e1", op: "dispatch", event: "tool_call", payload: input });
    await until("a second answer", () => answersTo(core, "e1") === 2);
  }));

test("a cancel of a running dispatch is owned, and ends its hook before the dispatch's own answer", () =>
  withSlowHook(async (core) => {
    core.begin("tool_call", input, "e1");
    await core.progress("e1", "started");
    core.send({ id: "c1", op: "cancel", dispatchId: "e1" });
    expect(await core.answer("c1")).toEqual({ id: "c1", ok: true, dispatchId: "e1", owned: true });
    expect(await core.answer("e1")).toEqual({ id: "e1", ok: false, cancelled: true, reason: "cancelled by c1" });
    expect(await core.request("hooks/running")).toMatchObject({ ok: true, answer: { hooks: [], errors: [] } });
  }));

test("a cancel of what is unknown, answered or cancelled already owns nothing, and makes no second answer", () =>
  withSlowHook(async (core, _world, go) => {
    expect(await core.cancel("never")).toMatchObject({ ok: true, dispatchId: "never", owned: false });
    expect(await core.cancel("__proto__")).toMatchObject({ ok: true, owned: false });
    core.begin("tool_call", input, "e1");
    await core.progress("e1", "started");
    await core.cancel("e1");
    await core.answer("e1");
    expect(await core.cancel("e1")).toMatchObject({ owned: false });
    go();
    await core.dispatch("tool_call", input, "e2");
    expect(await core.cancel("e2")).toMatchObject({ owned: false });
    expect([answersTo(core, "e1"), answersTo(core, "e2")]).toEqual([1, 1]);
  }));

test("two cancels of one dispatch are each answered, the dispatch once", () =>
  withSlowHook(async (core) => {
    core.begin("tool_call", input, "e1");
    await core.progress("e1", "started");
    const [first] = await Promise.all([core.cancel("e1"), core.cancel("e1")]);
    expect(first).toMatchObject({ owned: true });
    expect(await core.answer("e1")).toMatchObject({ cancelled: true });
    expect(answersTo(core, "e1")).toBe(1);
  }));

test("a dispatch and its cancel in one write: cancelled, and no hook is left", () =>
  withSlowHook(async (core) => {
    for (let round = 0; round < 20; round++) {
      const id = `e${round}`;
      const dispatch = JSON.stringify({ id, op: "dispatch", event: "tool_call", payload: input });
      const cancel = JSON.stringify({ id: `c${round}`, op: "cancel", dispatchId: id });
      core.sendBytes(`${dispatch}\n${cancel}\n`);
      expect(await core.answer(`c${round}`)).toMatchObject({ owned: true });
      expect(await core.answer(id)).toMatchObject({ ok: false, cancelled: true });
    }
    expect(await core.request("hooks/running")).toMatchObject({ answer: { hooks: [] } });
  }));

test("progress lines carry no id and name the dispatch and the hook", () =>
  withSlowHook(async (core, world, go) => {
    core.begin("tool_call", input, "0");
    expect(await core.progress("0", "started")).toEqual({
      op: "progress",
      dispatchId: "0",
      hook: "slow",
      line: "started",
    });
    expect(existsSync(`${world.root}/go`)).toBe(false);
    go();
    await core.answer("0");
  }));

test("many dispatches at once are each answered once, under their own ids", async () => {
  const world = makeWorld();
  await declareHook(world, {
    id: "odd",
    command: [world.script("odd", `grep -q '"command":"odd' && { echo odd >&2; exit 2; }; exit 0`)],
  });
  const core = await startCore(world);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      core.dispatch(
        "tool_call",
        { tool: "bash", input: { command: at % 2 === 1 ? `odd ${at}` : `even ${at}` } },
        `e${at}`,
      ),
    ),
  );
  for (const [at, answer] of answers.entries())
    expect(answer).toMatchObject({ id: `e${at}`, verdict: at % 2 === 1 ? "refuse" : "pass" });
  for (let at = 0; at < 40; at++) expect(answersTo(core, `e${at}`)).toBe(1);
  await core.close();
  world.remove();
});
