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

test("what one agent of a session changes, or a person writes, releases what its other agents kept", () =>
  played("full", async (session) => {
    const of = (agentId: string | null): object => (agentId === null ? {} : { agentId });
    const edit = { path: "a.ts", old: "x", new: "y" };
    for (const [keeper, other] of [
      [null, "a"],
      ["a", null],
      ["a", "b/c"],
    ] as const) {
      const command = { command: `make ${keeper} ${other}` };
      await session.runs("bash", command, failure("no rule"), of(keeper));
      expect(await session.asks("bash", command, of(keeper))).toMatchObject({ verdict: "refuse" });
      await session.runs("read", { path: `${keeper}${other}` }, success(), of(other));
      await session.runs("edit", edit, failure("String to replace not found in file."), of(other));
      expect(await session.asks("bash", command, of(keeper))).toMatchObject({ verdict: "refuse" });
      await session.runs("write", { path: `${keeper}${other}`, content: "" }, success(), of(other));
      await session.runs("bash", command, failure("no rule"), of(keeper));
      expect(await session.asks("bash", command, of(keeper))).toMatchObject({ verdict: "refuse" });
      await session.runs("bash", { command: `./fix.sh ${keeper}` }, success(), of(other));
      await session.runs("bash", command, failure("no rule"), of(keeper));
      expect(await session.asks("bash", command, of(keeper))).toMatchObject({ verdict: "refuse" });
      await session.person("try again");
      expect(await session.asks("bash", command, of(keeper))).toMatchObject({ verdict: "pass" });
    }
  }));

test("two failing scripts of two agents come to rest, and the same script of another agent releases nothing", () =>
  played("full", async (session) => {
    const [a, b] = [{ agentId: "a" }, { agentId: "b" }];
    const refused: boolean[] = [];
    for (let round = 0; round < 4; round++) {
      for (const [command, details] of [["./a.sh", a] as const, ["./b.sh", b] as const]) {
        const asked = await session.asks("bash", { command }, { ...details, call: `${command}${round}` });
        refused.push(asked["verdict"] === "refuse");
        if (asked["verdict"] === "pass")
          await session.answers("bash", { command }, failure("no"), { ...details, call: `${command}${round}` });
      }
    }
    expect(refused.slice(-4)).toEqual([true, true, true, true]);
    await session.runs("bash", call, failure("no"), a);
    await session.runs("bash", call, success(), b);
    expect(await session.asks("bash", call, a)).toMatchObject({ verdict: "refuse" });
  }));

test("that an agent was started releases nothing of the others; what it then changes does", () =>
  played("full", async (session) => {
    const [a, b] = [{ agentId: "a" }, { agentId: "b" }];
    await session.runs("bash", call, failure("1 failed"), a);
    await session.runs("task", { assignment: "look at it too" }, success());
    expect(await session.asks("bash", call, a)).toMatchObject({ verdict: "refuse" });
    await session.runs("write", { path: "a", content: "" }, success(), b);
    expect(await session.asks("bash", call, a)).toMatchObject({ verdict: "pass" });
  }));

test("under the spec's list another agent's write releases, its other changes and a person do not", () =>
  played("spec", async (session) => {
    await session.runs("bash", call, failure("1 failed"));
    await session.runs("bash", { command: "./fix.sh" }, success(), { agentId: "a" });
    await session.person("try again");
    expect(await session.asks("bash", call)).toMatchObject({ verdict: "refuse" });
    await session.runs("write", { path: "a", content: "" }, success(), { agentId: "a" });
    expect(await session.asks("bash", call)).toMatchObject({ verdict: "pass" });
  }));

test("another session's agents, also one whose id begins alike, release nothing here", () =>
  played("full", async (session, world) => {
    await session.runs("bash", call, failure("1 failed"));
    for (const other of ["s2", "s~a", "t"]) {
      const beside = playSession(session.core, world, other);
      await beside.runs("write", { path: "a", content: "" }, success(), { agentId: "a" });
      await beside.runs("write", { path: "a", content: "" }, success());
      await beside.person("go on");
    }
    expect(await session.asks("bash", call)).toMatchObject({ verdict: "refuse" });
  }));

test("a subagent's unanswered call is released by another agent's change, not by a person", () =>
  played("full", async (session) => {
    const sub = { agentId: "a" };
    await session.asks("bash", call, { ...sub, call: "1", message: 1 });
    await session.runs("read", { path: "a" }, success());
    expect(await session.asks("bash", call, { ...sub, call: "2", message: 2 })).toMatchObject({
      failed: { by: "unanswered" },
    });
    await session.person("go on");
    expect(await session.asks("bash", call, { ...sub, call: "3", message: 3 })).toMatchObject({ verdict: "refuse" });
    await session.runs("write", { path: "a", content: "" }, success());
    expect(await session.asks("bash", call, { ...sub, call: "4", message: 4 })).toMatchObject({ verdict: "pass" });
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
