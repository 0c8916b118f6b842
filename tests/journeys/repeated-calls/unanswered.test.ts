import { expect, test } from "bun:test";
import { startCore } from "../core-driver.ts";
import { tama } from "../tama-command.ts";
import { failure, keptCalls, makeRepeatWorld, onlyKept, played, playSession, success } from "./played-session.ts";

/** The spec's unanswered leg: a call whose result never came back is kept too. */
const slow = { command: "npm run e2e" };

for (const setting of ["full", "spec"] as const) {
  test(`[${setting}] a call sent again while its result is still out is refused as unanswered, naming its start`, () =>
    played(setting, async (session, world) => {
      await session.asks("bash", slow, { call: "c1", message: "m1" });
      expect(await keptCalls(world)).toEqual({});
      const refused = await session.asks("bash", slow, { call: "c2", message: "m2" });
      const [call, kept] = await onlyKept(world);
      expect(kept).toMatchObject({ by: "unanswered", answer: "", tool: "bash", retry: null, closures: [] });
      expect(kept.said).toStartWith(`it started at ${kept.at} and its result never came back: `);
      expect(refused).toMatchObject({ verdict: "refuse", blockedHookId: "repeat", call, failed: kept, hooks: [] });
      expect(String(refused["reason"])).toStartWith(
        `this session's same call was unanswered at ${kept.at}: it started at ${kept.at} and its result never came back: `,
      );
      expect(String(refused["reason"])).not.toContain("Its whole answer was");
      expect(await session.asks("bash", slow, { call: "c3", message: "m3" })).toMatchObject({ verdict: "refuse" });
    }));

  test(`[${setting}] a call whose result came back is not held, whatever the result`, () =>
    played(setting, async (session, world) => {
      await session.runs("bash", slow, success());
      await session.runs("bash", slow, success());
      expect(await keptCalls(world)).toEqual({});
      expect((await tama(world, ["calls", "failed", "--session", "s"])).stdout).toBe('{\n  "calls": {}\n}\n');
    }));

  test(`[${setting}] without any harness ids the rule works by identity alone`, () =>
    played(setting, async (session) => {
      await session.asks("bash", slow);
      await session.answers("bash", slow, success());
      await session.asks("bash", slow);
      expect(await session.asks("bash", slow)).toMatchObject({ verdict: "refuse", failed: { by: "unanswered" } });
      await session.answers("bash", slow, success());
      expect(await session.asks("bash", slow)).toMatchObject({ verdict: "pass" });
    }));

  test(`[${setting}] a late result settles an unanswered call: by its harness id also from another directory`, () =>
    played(setting, async (session, world) => {
      await session.asks("bash", slow, { call: "c1", message: "m1" });
      await session.asks("bash", slow, { call: "c2", message: "m2" });
      await session.answers("bash", slow, success(), { call: "c1", cwd: world.root });
      expect(await keptCalls(world)).toEqual({});
      await session.asks("bash", slow, { call: "c3", message: "m3" });
      await session.asks("bash", slow, { call: "c4", message: "m4" });
      await session.answers("bash", slow, failure("it broke in the end"), { call: "c3" });
      expect((await onlyKept(world))[1]).toMatchObject({ by: "failed", said: "it broke in the end" });
    }));

  test(`[${setting}] the result of the refused send itself settles nothing`, () =>
    played(setting, async (session, world) => {
      await session.asks("bash", slow, { call: "c1", message: "m1" });
      const refused = await session.asks("bash", slow, { call: "c2", message: "m2" });
      const before = await keptCalls(world);
      await session.answers("bash", slow, failure(String(refused["reason"])), { call: "c2" });
      await session.answers("bash", slow, success("odd"), { call: "c2" });
      expect(await keptCalls(world)).toEqual(before);
    }));

  test(`[${setting}] two identical calls of one message are both admitted; a later message's is not`, () =>
    played(setting, async (session) => {
      expect(await session.asks("bash", slow, { call: "c1", message: 7 })).toMatchObject({ verdict: "pass" });
      expect(await session.asks("bash", slow, { call: "c2", message: 7 })).toMatchObject({ verdict: "pass" });
      await session.answers("bash", slow, success(), { call: "c1", message: 7 });
      expect(await session.asks("bash", slow, { call: "c3", message: 8 })).toMatchObject({
        verdict: "refuse",
        failed: { by: "unanswered" },
      });
    }));

  test(`[${setting}] both of two identical calls may fail, and the third send is held`, () =>
    played(setting, async (session) => {
      await session.asks("bash", slow, { call: "c1", message: 7 });
      await session.asks("bash", slow, { call: "c2", message: 7 });
      await session.answers("bash", slow, failure("one"), { call: "c1", message: 7 });
      await session.answers("bash", slow, failure("two"), { call: "c2", message: 7 });
      expect(await session.asks("bash", slow, { call: "c3", message: 8 })).toMatchObject({
        verdict: "refuse",
        failed: { said: "two" },
      });
    }));

  test(`[${setting}] a call started under a core that was killed is unanswered under the next`, async () => {
    const world = makeRepeatWorld(setting);
    const first = await startCore(world);
    await playSession(first, world, "s").asks("bash", slow, { call: "c1", message: "m1" });
    first.kill("SIGKILL");
    await first.ended;
    const second = await startCore(world);
    const refused = await playSession(second, world, "s").asks("bash", slow, { call: "c2", message: "m2" });
    expect(refused).toMatchObject({ verdict: "refuse", failed: { by: "unanswered" } });
    await second.close();
    world.remove();
  });

  test(`[${setting}] a result that stands in the transcript settles a call whose event was lost`, () =>
    played(setting, async (session, world) => {
      const record = (text: string, isError: boolean): string =>
        `${JSON.stringify({ type: "message", message: { role: "toolResult", toolCallId: "c1", toolName: "bash", content: [{ type: "text", text }], isError } })}\n`;
      const transcript = world.write("session.jsonl", `{"type":"session"}\n${record("all well", false)}`);
      await session.asks("bash", slow, { call: "c1", message: "m1", transcript });
      expect(await session.asks("bash", slow, { call: "c2", message: "m2", transcript })).toMatchObject({
        verdict: "pass",
      });
      await session.answers("bash", slow, success(), { call: "c2" });
      world.write("session.jsonl", record("it broke", true));
      await session.asks("bash", slow, { call: "c1", message: "m3", transcript });
      expect(await session.asks("bash", slow, { call: "c4", message: "m4", transcript })).toMatchObject({
        verdict: "refuse",
        failed: { by: "failed", said: "it broke" },
      });
    }));

  test(`[${setting}] a person's message does not release an unanswered call; a write does, and so does a retry`, () =>
    played(setting, async (session, world) => {
      await session.asks("bash", slow, { call: "c1", message: "m1" });
      await session.person("are you stuck?");
      expect(await session.asks("bash", slow, { call: "c2", message: "m2" })).toMatchObject({ verdict: "refuse" });
      await session.person("go on");
      expect(await session.asks("bash", slow, { call: "c3", message: "m3" })).toMatchObject({ verdict: "refuse" });
      const [call] = await onlyKept(world);
      await tama(world, ["calls", "retry", call, "--session", "s", "--because", "the server is up"]);
      expect(await session.asks("bash", slow, { call: "c4", message: "m4" })).toMatchObject({ verdict: "pass" });
      expect(await session.asks("bash", slow, { call: "c5", message: "m5" })).toMatchObject({ verdict: "refuse" });
      await session.runs("write", { path: "a", content: "" }, success());
      expect(await session.asks("bash", slow, { call: "c6", message: "m6" })).toMatchObject({ verdict: "pass" });
    }));

  test(`[${setting}] a write behind the start keeps a call from being called unanswered`, () =>
    played(setting, async (session, world) => {
      await session.asks("bash", slow, { call: "c1", message: "m1" });
      await session.runs("write", { path: "a", content: "" }, success(), { message: "m2" });
      expect(await session.asks("bash", slow, { call: "c3", message: "m3" })).toMatchObject({ verdict: "pass" });
      expect(await keptCalls(world)).toEqual({});
    }));
}

test("a person's message that arrives while the hooks decide leaves the call's start as it was", async () => {
  const world = makeRepeatWorld("full");
  const gate = `${world.root}/go`;
  const hook = world.script("waits", `while [ ! -e ${gate} ]; do sleep 0.01; done`);
  await (await import("../tama-command.ts")).declareHook(world, { id: "waits", command: [hook] });
  const core = await startCore(world);
  const session = playSession(core, world, "s");
  const first = session.asks("bash", slow, { call: "c1", message: "m1" });
  await core.dispatch("input", { session: "s", text: "hm?" });
  world.write("go", "");
  await first;
  expect(await session.asks("bash", slow, { call: "c2", message: "m2" })).toMatchObject({
    verdict: "refuse",
    failed: { by: "unanswered" },
  });
  await core.close();
  world.remove();
});

test("a call of an answer that Claude Code asked for anew is no repeat; behind a person's message it is one", async () => {
  const world = makeRepeatWorld("full");
  const core = await startCore(world, { harness: "claude-code" });
  const session = playSession(core, world, "s");
  const rows: object[] = [];
  const transcript = `${world.root}/session.jsonl`;
  const asked = async (message: string, call: string) => {
    const content = [{ type: "tool_use", id: call, name: "Bash", input: slow }];
    rows.push({ type: "assistant", message: { role: "assistant", id: message, content } });
    return await written(call);
  };
  const written = async (call: string) => {
    const chained = rows.map((row, at) => ({ ...row, uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}` }));
    world.write("session.jsonl", chained.map((row) => `${JSON.stringify(row)}\n`).join(""));
    return await session.asks("Bash", slow, { call, transcript });
  };
  expect(await asked("m1", "c1")).toMatchObject({ verdict: "pass" });
  expect(await asked("m2", "c2")).toMatchObject({ verdict: "pass" });
  rows.push({ type: "user", message: { role: "user", content: "go on" } });
  expect(await asked("m3", "c3")).toMatchObject({ verdict: "refuse", failed: { by: "unanswered" } });
  await core.close();
  world.remove();
});
