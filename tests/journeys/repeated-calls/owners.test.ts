import { expect, test } from "bun:test";
import { startCore } from "../core-driver.ts";
import { tama } from "../tama-command.ts";
import { failure, keptCalls, makeRepeatWorld, played, playSession, success } from "./played-session.ts";

/** Whose calls they are: subagents, several cores of one session, events without a session or out of order. */
const call = { command: "npm test" };

test("a subagent's calls are its own: two run the same call at once and neither is held", () =>
  played("full", async (session, world) => {
    const asked = await Promise.all([
      session.asks("bash", call, { agentId: "a", call: "1", message: 1 }),
      session.asks("bash", call, { agentId: "b", call: "2", message: 2 }),
      session.asks("bash", call, { call: "3", message: 3 }),
    ]);
    expect(asked.map((one) => one["verdict"])).toEqual(["pass", "pass", "pass"]);
    await session.answers("bash", call, failure("a's failure"), { agentId: "a", call: "1" });
    await session.answers("bash", call, success(), { agentId: "b", call: "2" });
    await session.answers("bash", call, success(), { call: "3" });
    expect(await keptCalls(world)).toEqual({});
    const [id] = Object.keys(await keptCalls(world, "s", "a"));
    const held = await session.asks("bash", call, { agentId: "a" });
    expect(held).toMatchObject({ verdict: "refuse", call: id });
    expect(String(held["reason"])).toContain(`tama calls retry ${id} --session s --agent a --because `);
    expect(await session.asks("bash", call, { agentId: "b" })).toMatchObject({ verdict: "pass" });
    expect(await session.asks("bash", call, { agentId: "" })).toMatchObject({ verdict: "pass" });
    const retried = await tama(world, ["calls", "retry", `${id}`, "--session", "s", "--agent", "a", "--because", "x"]);
    expect(retried.code).toBe(0);
    expect(await session.asks("bash", call, { agentId: "a" })).toMatchObject({ verdict: "pass" });
  }));

test("two cores of one session share what it keeps, and no update of either is lost", async () => {
  const world = makeRepeatWorld("full");
  const cores = await Promise.all([startCore(world), startCore(world)]);
  const sessions = cores.map((core) => playSession(core, world, "s"));
  const [first, second] = sessions;
  if (first === undefined || second === undefined) throw new Error("two cores");
  await first.answers("bash", call, failure("1 failed"));
  expect(await second.asks("bash", call)).toMatchObject({ verdict: "refuse" });
  await Promise.all(
    sessions.flatMap((session, core) =>
      Array.from({ length: 40 }, (_, at) => session.answers("read", { path: `${core}-${at}` }, failure("not found"))),
    ),
  );
  expect(Object.keys(await keptCalls(world))).toHaveLength(81);
  await second.runs("write", { path: "a", content: "" }, success());
  expect(await first.asks("bash", call)).toMatchObject({ verdict: "pass" });
  await Promise.all(cores.map((core) => core.close()));
  world.remove();
});

test("a result is taken whether or not its call was seen", () =>
  played("full", async (session, world) => {
    await session.answers("bash", call, failure("1 failed"), { call: "never-asked" });
    expect(await session.asks("bash", call)).toMatchObject({ verdict: "refuse" });
    await session.answers("write", { path: "a", content: "" }, success(), { call: "never-asked-either" });
    expect(await keptCalls(world)).toEqual({});
  }));

test("a result of a call that never ran keeps nothing and settles its start", () =>
  played("full", async (session, world) => {
    const input = { cmd: "ls" };
    const text = 'Validation failed for tool "bash": command is required';
    await session.asks("bash", input, { call: "c1", message: 1 });
    await session.answers("bash", input, failure(text), { call: "c1", message: 1 });
    expect(await keptCalls(world)).toEqual({});
    expect(await session.asks("bash", input, { call: "c2", message: 2 })).toMatchObject({ verdict: "pass" });
  }));

test("without a session nothing is kept and nothing is held", () =>
  played("full", async (session, world) => {
    for (const nobody of [{}, { session: null }, { session: "" }]) {
      const payload = { ...nobody, tool: "bash", input: call };
      await session.core.dispatch("tool_result", { ...payload, isError: true, text: "1 failed" });
      expect(await session.core.dispatch("tool_call", payload)).toMatchObject({ ok: true, verdict: "pass" });
    }
    const files = await Array.fromAsync(
      new Bun.Glob("{failed-calls,started-calls,log,sessions}/**").scan({ cwd: world.home, dot: true }),
    );
    expect(files).toEqual([]);
  }));

test("hostile session ids keep their calls apart and inside the home", () =>
  played("full", async (session, world) => {
    const ids = [
      "../../x",
      "a/b",
      "a%2Fb",
      "A",
      "a",
      ".",
      "..",
      "null",
      "\u0000",
      "é",
      "e\u0301",
      "x".repeat(5000),
      "~",
      "a~b",
    ];
    for (const id of ids) await playSession(session.core, world, id).answers("bash", call, failure(`of ${id}`));
    for (const id of ids) {
      const held = await playSession(session.core, world, id).asks("bash", call);
      expect(held).toMatchObject({ verdict: "refuse", failed: { said: `of ${id}`.trim() } });
    }
    const outside = await Array.fromAsync(new Bun.Glob("**").scan({ cwd: world.root, dot: true }));
    expect(outside.filter((path) => !path.startsWith("tama-home/") && path !== "work/.keep")).toEqual([]);
  }));

test("a session id that a shell would take apart stands quoted in the printed way out", () =>
  played("full", async (session, world) => {
    const id = "it's $(touch /nothing) `x`; a b";
    const odd = playSession(session.core, world, id);
    await odd.answers("bash", call, failure("1 failed"));
    const held = await odd.asks("bash", call);
    expect(String(held["reason"])).toContain("--session 'it'\\''s $(touch /nothing) `x`; a b' --because");
  }));
