import { expect, test } from "bun:test";
import { startCore } from "../core-driver.ts";
import { declareHook, tama } from "../tama-command.ts";
import {
  type Answer,
  failure,
  keptCalls,
  makeRepeatWorld,
  onlyKept,
  played,
  playSession,
  success,
} from "./played-session.ts";

/** What lets a kept call run again, and what does not (spec: calls; design: "What could have changed the answer"). */
const call = { command: "npm test" };

interface Between {
  readonly name: string;
  readonly tool: string;
  readonly input: unknown;
  readonly answer: Answer;
}

const shell = (command: string, answer: Answer = success()): Between => ({
  name: command,
  tool: "bash",
  input: { command },
  answer,
});

const changes: readonly Between[] = [
  shell("mkdir -p out"),
  shell("git pull --rebase"),
  shell("git config --global --add safe.directory /srv/app"),
  shell("npm install", failure("ERESOLVE\nCommand exited with code 1")),
  shell("sed -i s/a/b/ a.ts"),
  shell("echo x > a.txt"),
  shell("npm run lint:fix"),
  shell("./fix.sh"),
  shell("./fix.sh", failure("it failed and still did something")),
  shell("make build"),
  { name: "an unknown tool", tool: "mcp__db__migrate", input: {}, answer: success() },
];

const looks: readonly Between[] = [
  shell("ls -la"),
  shell("git status --short"),
  shell("cat package.json | head -3"),
  shell("grep -rn todo src"),
  shell("sleep 5"),
  shell("pwd; ps aux"),
  shell(": tama calls failed --session s; tama calls failed --session s"),
  shell("oko defects list"),
  { name: "a read", tool: "read", input: { path: "a.ts" }, answer: success() },
  { name: "a search", tool: "grep", input: { pattern: "x" }, answer: success() },
  { name: "a failed edit", tool: "edit", input: { path: "a" }, answer: failure("text not found in file") },
];

for (const between of changes) {
  const ended = between.answer.isError ? ", failing," : "";
  test(`[full] ${between.name}${ended} releases`, () =>
    played("full", async (session) => {
      await session.answers("bash", call, failure("1 failed"));
      await session.runs(between.tool, between.input, between.answer);
      expect(await session.asks("bash", call)).toMatchObject({ verdict: "pass" });
    }));
  test(`[spec] ${between.name}${ended} releases nothing`, () =>
    played("spec", async (session) => {
      await session.answers("bash", call, failure("1 failed"));
      await session.runs(between.tool, between.input, between.answer);
      expect(await session.asks("bash", call)).toMatchObject({ verdict: "refuse" });
    }));
}

for (const setting of ["full", "spec"] as const) {
  for (const between of looks) {
    test(`[${setting}] ${between.name} releases nothing`, () =>
      played(setting, async (session) => {
        await session.answers("bash", call, failure("1 failed"));
        await session.runs(between.tool, between.input, between.answer);
        expect(await session.asks("bash", call)).toMatchObject({ verdict: "refuse" });
      }));
  }

  test(`[${setting}] a change whose result has not come releases nothing yet`, () =>
    played(setting, async (session) => {
      await session.answers("bash", call, failure("1 failed"));
      await session.asks("write", { path: "a", content: "" }, { call: "w1" });
      expect(await session.asks("bash", call)).toMatchObject({ verdict: "refuse" });
      await session.answers("write", { path: "a", content: "" }, success(), { call: "w1" });
      expect(await session.asks("bash", call)).toMatchObject({ verdict: "pass" });
    }));

  test(`[${setting}] a person's message releases under the full rule only`, () =>
    played(setting, async (session) => {
      await session.answers("bash", call, failure("1 failed"));
      await session.person("try again please");
      expect(await session.asks("bash", call)).toMatchObject({ verdict: setting === "full" ? "pass" : "refuse" });
    }));

  test(`[${setting}] an infrastructure refusal judged nothing and is not kept`, async () => {
    const world = makeRepeatWorld(setting);
    await declareHook(world, { id: "dies", command: [world.script("dies", "exit 1")] });
    const core = await startCore(world);
    const session = playSession(core, world, "s");
    for (let round = 0; round < 2; round++)
      expect(await session.asks("bash", call)).toMatchObject({ infrastructure: true, blockedHookId: "dies" });
    expect(await keptCalls(world)).toEqual({});
    await core.close();
    world.remove();
  });

  test(`[${setting}] a cancelled call leaves nothing: neither started, nor failed`, async () => {
    const world = makeRepeatWorld(setting);
    await declareHook(world, { id: "waits", command: [world.script("waits", "exec sleep 600")] });
    const core = await startCore(world);
    for (let round = 0; round < 2; round++) {
      const id = core.begin("tool_call", { session: "s", cwd: world.work, tool: "bash", input: call, message: round });
      expect(await core.cancel(id)).toMatchObject({ owned: true });
      expect(await core.answer(id)).toMatchObject({ ok: false, cancelled: true });
    }
    expect(await keptCalls(world)).toEqual({});
    await core.close();
    world.remove();
  });
}

test("[full] two failing scripts sent in turn stay held after one repeat each", () =>
  played("full", async (session) => {
    const a = { command: "./a.sh" };
    const b = { command: "./b.sh" };
    await session.runs("bash", a, failure("a failed"));
    await session.runs("bash", b, failure("b failed"));
    // b was no known failure when it first ran, so it may have changed what a needs: once.
    await session.runs("bash", a, failure("a failed"));
    expect(await session.asks("bash", b)).toMatchObject({ verdict: "refuse" });
    expect(await session.asks("bash", a)).toMatchObject({ verdict: "refuse" });
  }));

test("[full] three failing scripts sent in a ring come to rest", () =>
  played("full", async (session) => {
    let admitted = 0;
    for (let round = 0; round < 6; round++) {
      for (const command of ["./a.sh", "./b.sh", "./c.sh"]) {
        const asked = await session.asks("bash", { command }, { call: `${round}-${command}` });
        if (asked["verdict"] !== "pass") continue;
        admitted++;
        await session.answers("bash", { command }, failure("no"), { call: `${round}-${command}` });
      }
    }
    expect(admitted).toBeLessThanOrEqual(6);
    expect(await session.asks("bash", { command: "./a.sh" })).toMatchObject({ verdict: "refuse" });
  }));

test("[full] an edit refused for want of a read is released by reading that file, not another", () =>
  played("full", async (session, world) => {
    const edit = { path: "src/a.ts", old: "x", new: "y" };
    const unread = failure("File has not been read yet. Read it first before writing to it.");
    await session.runs("edit", edit, unread);
    await session.runs("read", { path: "src/b.ts" }, success());
    expect(await session.asks("edit", edit)).toMatchObject({ verdict: "refuse" });
    await session.runs("read", { path: `${world.work}/src/a.ts` }, success());
    await session.runs("edit", edit, unread);
    await session.runs("read", { path: "src/a.ts" }, failure("EACCES"));
    expect(await session.asks("edit", edit)).toMatchObject({ verdict: "refuse" });
  }));

test("[full] a call that failed beside working siblings gets one free repeat, alone in its message", () =>
  played("full", async (session) => {
    const lint = { command: "npm run -s lint" };
    const fails = failure("ENOENT: no such file, open 'tmp-17.ts'");
    await session.asks("bash", lint, { call: "c1", message: "m1" });
    await session.asks("bash", { command: "npm test" }, { call: "c2", message: "m1" });
    await session.answers("bash", { command: "npm test" }, success(), { call: "c2", message: "m1" });
    await session.answers("bash", lint, fails, { call: "c1", message: "m1" });

    await session.asks("bash", { command: "ls" }, { call: "c3", message: "m2" });
    expect(await session.asks("bash", lint, { call: "c4", message: "m2" })).toMatchObject({ verdict: "refuse" });
    await session.answers("bash", { command: "ls" }, success(), { call: "c3", message: "m2" });
    expect(await session.asks("bash", lint, { call: "c5", message: "m3" })).toMatchObject({ verdict: "pass" });
    await session.answers("bash", lint, fails, { call: "c5", message: "m3" });
    expect(await session.asks("bash", lint, { call: "c6", message: "m4" })).toMatchObject({ verdict: "refuse" });
  }));

test("[full] looks beside a failing call earn it no free repeat, and neither do siblings under the spec's list", async () => {
  for (const [setting, sibling] of [
    ["full", "cat a.txt"],
    ["spec", "npm test"],
  ] as const) {
    await played(setting, async (session) => {
      const lint = { command: "npm run -s lint" };
      await session.asks("bash", lint, { call: "c1", message: "m1" });
      await session.asks("bash", { command: sibling }, { call: "c2", message: "m1" });
      await session.answers("bash", { command: sibling }, success(), { call: "c2", message: "m1" });
      await session.answers("bash", lint, failure("7 problems"), { call: "c1", message: "m1" });
      expect(await session.asks("bash", lint, { call: "c3", message: "m2" })).toMatchObject({ verdict: "refuse" });
    });
  }
});

test("[full] the lines purgatory admits are never held, only for this very session", () =>
  played("full", async (session) => {
    const own = { command: "oko purgatory status --session s --json" };
    const others = { command: "oko purgatory status --session t" };
    for (const input of [own, others]) await session.answers("bash", input, failure("no"));
    expect(await session.asks("bash", own)).toMatchObject({ verdict: "pass" });
    expect(await session.asks("bash", others)).toMatchObject({ verdict: "refuse" });
  }));

test("a settings.json that cannot be decoded refuses every call, naming it and the way out", async () => {
  const world = makeRepeatWorld("full");
  world.write("tama-home/settings.json", '{"repeat":"never"}');
  const core = await startCore(world);
  const session = playSession(core, world, "s");
  const refused = await session.asks("bash", call);
  expect(refused).toMatchObject({ verdict: "refuse", infrastructure: true, blockedHookId: "repeat" });
  expect(refused["reason"]).toContain(`cannot decode ${world.home}/settings.json`);
  expect(refused["reason"]).toContain(`mv ${world.home}/settings.json`);
  const status = await tama(world, ["status"]);
  expect(status.code).toBe(1);
  expect(status.stdout).toContain(`problem: cannot decode ${world.home}/settings.json`);
  await core.close();
  world.remove();
});

test("a harness's call id used again for another call is that other call's", () =>
  played("full", async (session, world) => {
    await session.asks("bash", { command: "first" }, { call: "call_0", message: 1 });
    await session.asks("bash", { command: "second" }, { call: "call_0", message: 2 });
    await session.answers("bash", { command: "second" }, failure("second broke"), { call: "call_0", message: 2 });
    const [, kept] = await onlyKept(world);
    expect(kept.said).toBe("second broke");
    expect(await session.asks("bash", { command: "second" }, { message: 3 })).toMatchObject({ verdict: "refuse" });
    expect(await session.asks("bash", { command: "first" }, { message: 3 })).toMatchObject({ verdict: "pass" });
  }));
