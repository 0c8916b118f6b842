import { expect, test } from "bun:test";
import { type DrivenCore, startCore } from "../core-driver.ts";
import { declareHook, makeWorld, tama, type World } from "../tama-command.ts";
import { until } from "../until.ts";

/** Effects on a session's records happen in the order of its lines; answers may overtake (contract 2). */
const bash = (command: string): object => ({ session: "s", cwd: "/srv", tool: "bash", input: { command } });
const write = { session: "s", cwd: "/srv", tool: "write", input: { path: "a", content: "" } };
const fails = (text: string): object => ({ isError: true, text });
const works = { isError: false, text: "ok" };

async function inWorld(play: (core: DrivenCore, world: World) => Promise<void>, hook?: string): Promise<void> {
  const world = makeWorld();
  if (hook !== undefined)
    await declareHook(world, { id: "hook", command: [world.script("hook", hook.replaceAll("ROOT", world.root))] });
  const core = await startCore(world);
  try {
    await play(core, world);
  } finally {
    await core.close();
    world.remove();
  }
}

/** Sends many dispatches in one write. */
function sendAtOnce(core: DrivenCore, lines: readonly (readonly [string, string, object])[]): void {
  const text = lines.map(([id, event, payload]) => `${JSON.stringify({ id, op: "dispatch", event, payload })}\n`);
  core.sendBytes(text.join(""));
}

async function kept(world: World): Promise<readonly { readonly by: string; readonly said: string }[]> {
  const ended = await tama(world, ["calls", "failed", "--session", "s"]);
  return Object.values((JSON.parse(ended.stdout) as { calls: Record<string, { by: string; said: string }> }).calls);
}

test("call, failing result, the same call, in one write: the third is held", () =>
  inWorld(async (core) => {
    for (let round = 0; round < 50; round++) {
      const call = bash(`cat ${round}`);
      sendAtOnce(core, [
        [`a${round}`, "tool_call", { ...call, call: `c${round}` }],
        [`b${round}`, "tool_result", { ...call, ...fails("no"), call: `c${round}` }],
        [`c${round}`, "tool_call", { ...call, call: `d${round}` }],
        [`d${round}`, "tool_result", { ...write, ...works }],
        [`e${round}`, "tool_call", { ...call, call: `e${round}` }],
        [`f${round}`, "tool_result", { ...call, ...works, call: `e${round}` }],
      ]);
      expect(await core.answer(`a${round}`)).toMatchObject({ verdict: "pass" });
      expect(await core.answer(`c${round}`)).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
      expect(await core.answer(`e${round}`)).toMatchObject({ verdict: "pass" });
    }
  }));

test("a request between two lines sees what stood before it and nothing behind it", () =>
  inWorld(async (core) => {
    const line = (id: string, operation: string): string =>
      `${JSON.stringify({ id, op: "request", operation, body: { session: "s" } })}\n`;
    const result = (id: string, payload: object): string =>
      `${JSON.stringify({ id, op: "dispatch", event: "tool_result", payload })}\n`;
    core.sendBytes(
      line("r1", "calls/failed") +
        result("d1", { ...bash("cat a"), ...fails("no") }) +
        line("r2", "calls/failed") +
        result("d2", { ...write, ...works }) +
        line("r3", "calls/failed"),
    );
    const counts = [];
    for (const id of ["r1", "r2", "r3"]) {
      const { calls } = (await core.answer(id))["answer"] as { calls: object };
      counts.push(Object.keys(calls).length);
    }
    expect(counts).toEqual([0, 1, 0]);
  }));

test("a result that comes before its call's slow hook has answered still settles that call", () =>
  inWorld(async (core, world) => {
    sendAtOnce(core, [
      ["a", "tool_call", { ...bash("cat a"), call: "c1", message: 1 }],
      ["b", "tool_result", { ...bash("cat a"), ...works, call: "c1", message: 1 }],
    ]);
    world.write("go", "");
    await core.answer("b");
    const started = JSON.parse(await Bun.file(`${world.home}/started-calls/s.json`).text()) as { calls: object };
    expect(started.calls).toEqual({});
    expect(await core.dispatch("tool_call", { ...bash("cat a"), call: "c2", message: 2 })).toMatchObject({
      verdict: "pass",
    });
  }, "while [ ! -e ROOT/go ]; do sleep 0.01; done"));

test("a result that comes before its call is refused is no failure of that call", () =>
  inWorld(async (core, world) => {
    sendAtOnce(core, [
      ["a", "tool_call", { ...bash("cat a"), call: "c1" }],
      ["b", "tool_result", { ...bash("cat a"), ...fails("blocked"), call: "c1" }],
    ]);
    world.write("go", "");
    await core.answer("b");
    expect(await kept(world)).toMatchObject([{ by: "refused", said: "never" }]);
  }, "while [ ! -e ROOT/go ]; do sleep 0.01; done; echo never >&2; exit 2"));

test("a call refused late is not kept when a write behind it has succeeded meanwhile", () =>
  inWorld(async (core, world) => {
    core.begin("tool_call", bash("cat a"), "a");
    await core.progress("a", "waiting");
    await core.dispatch("tool_result", { ...write, ...works });
    world.write("go", "");
    expect(await core.answer("a")).toMatchObject({ verdict: "refuse", blockedHookId: "hook" });
    expect(await kept(world)).toEqual([]);
    expect(await core.dispatch("tool_call", bash("cat a"))).toMatchObject({ blockedHookId: "hook" });
    expect(await kept(world)).toMatchObject([{ by: "refused" }]);
  }, "echo waiting >&2; while [ ! -e ROOT/go ]; do sleep 0.01; done; echo no >&2; exit 2"));

test("a call admitted late does not stand as started before a write behind it", () =>
  inWorld(async (core, world) => {
    core.begin("tool_call", { ...bash("cat a"), call: "c1", message: 1 }, "a");
    await core.progress("a", "waiting");
    await core.dispatch("tool_result", { ...write, ...works });
    world.write("go", "");
    await core.answer("a");
    expect(await core.dispatch("tool_call", { ...bash("cat a"), call: "c2", message: 2 })).toMatchObject({
      verdict: "pass",
    });
  }, "echo waiting >&2; while [ ! -e ROOT/go ]; do sleep 0.01; done"));

test("an identical call waits for the first one's hooks, another one does not", () =>
  inWorld(async (core, world) => {
    core.begin("tool_call", { ...bash("slow"), call: "c1", message: 1 }, "a");
    await core.progress("a", "waiting");
    expect(await core.dispatch("tool_call", { ...bash("quick"), call: "c2", message: 1 })).toMatchObject({
      verdict: "pass",
    });
    core.begin("tool_call", { ...bash("slow"), call: "c3", message: 2 }, "b");
    world.write("go", "");
    expect(await core.answer("a")).toMatchObject({ verdict: "pass" });
    expect(await core.answer("b")).toMatchObject({ verdict: "refuse", failed: { by: "unanswered" } });
  }, "grep -q slow || exit 0; echo waiting >&2; while [ ! -e ROOT/go ]; do sleep 0.01; done"));

test("a cancelled call frees the identical one that waits for it", () =>
  inWorld(async (core) => {
    core.begin("tool_call", { ...bash("slow"), call: "c1", message: 1 }, "a");
    await core.progress("a", "waiting");
    core.begin("tool_call", { ...bash("slow"), call: "c2", message: 2 }, "b");
    await core.cancel("a");
    expect(await core.answer("a")).toMatchObject({ cancelled: true });
    await core.progress("b", "waiting");
    await core.cancel("b");
    expect(await core.answer("b")).toMatchObject({ cancelled: true });
  }, "echo waiting >&2; exec sleep 600"));

test("a call that waits for an identical one can be cancelled itself", () =>
  inWorld(async (core) => {
    core.begin("tool_call", { ...bash("slow"), call: "c1", message: 1 }, "a");
    await core.progress("a", "waiting");
    core.begin("tool_call", { ...bash("slow"), call: "c2", message: 2 }, "b");
    expect(await core.cancel("b")).toMatchObject({ owned: true });
    expect(await core.answer("b")).toMatchObject({ ok: false, cancelled: true });
    await core.cancel("a");
    await core.answer("a");
  }, "echo waiting >&2; exec sleep 600"));

test("sessions do not wait for each other, nor does a subagent for its main session", () =>
  inWorld(async (core, world) => {
    core.begin("tool_call", bash("slow"), "a");
    await core.progress("a", "waiting");
    core.begin("tool_call", bash("slow"), "b");
    for (const payload of [
      { ...bash("x"), session: "t" },
      { ...bash("x"), agentId: "sub" },
    ])
      expect(await core.dispatch("tool_call", payload)).toMatchObject({ verdict: "pass" });
    world.write("go", "");
    await until("both are answered", async () => (await core.answer("a")) && (await core.answer("b")));
  }, "grep -q slow || exit 0; echo waiting >&2; while [ ! -e ROOT/go ]; do sleep 0.01; done"));
