import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { startCore } from "../core-driver.ts";
import { declareHook, tama } from "../tama-command.ts";
import {
  failure,
  keptCalls,
  makeRepeatWorld,
  onlyKept,
  played,
  playSession,
  type RepeatSetting,
  success,
} from "./played-session.ts";

/** The journey of the spec ("tama calls", Real qualification), sentence by sentence, under both settings of the rule. */
const settings: readonly RepeatSetting[] = ["full", "spec"];
const make = { command: "make deploy" };
const broken = "make: *** No rule to make target 'deploy'.  Stop.\nCommand exited with code 2";

for (const setting of settings) {
  test(`[${setting}] a failed call sent again unchanged is refused before any hook runs, quoting the answer`, async () => {
    const world = makeRepeatWorld(setting);
    const mark = `${world.root}/hook-ran`;
    await declareHook(world, { id: "marks", command: [world.script("marks", `touch ${mark}`)] });
    const core = await startCore(world);
    const session = playSession(core, world, "s");
    await session.answers("bash", make, failure(broken));
    const refused = await session.asks("bash", make);
    expect(existsSync(mark)).toBe(false);
    const [call, kept] = await onlyKept(world);
    expect(refused).toEqual({
      id: expect.any(String),
      ok: true,
      verdict: "refuse",
      blockedHookId: "repeat",
      refusal: expect.stringMatching(/^r-/),
      reason: expect.any(String),
      call,
      failed: kept,
      hooks: [],
    });
    expect(String(refused["reason"])).toStartWith(
      `this session's same call was failed at ${kept.at}: make: *** No rule to make target 'deploy'.  Stop.. Repeated unchanged it gets the same answer and the failure stays unconnected. `,
    );
    expect(String(refused["reason"])).toEndWith(`\nIts whole answer was:\n${broken}`);
    expect(String(refused["reason"])).toContain(`tama calls retry ${call} --session s --because "`);
    expect(String(refused["reason"])).toContain('oko defects record "<title>" --blocks "<PROGRAM WORDS>"');
    expect(Object.keys(kept)).toEqual([
      "tool",
      "said",
      "answer",
      "by",
      "at",
      "catalog",
      "answers",
      "retry",
      "closures",
    ]);
    expect(kept).toEqual({
      tool: "bash",
      said: "make: *** No rule to make target 'deploy'.  Stop.",
      answer: broken,
      by: "failed",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      catalog: String(core.ready["catalog"]),
      answers: [],
      retry: null,
      closures: [],
    });
    await core.close();
    world.remove();
  });

  test(`[${setting}] an answer of one line is not quoted twice`, () =>
    played(setting, async (session) => {
      await session.answers("bash", make, failure("\n\n  exit 2  \n"));
      const reason = String((await session.asks("bash", make))["reason"]);
      expect(reason).toContain(": exit 2. Repeated unchanged");
      expect(reason).not.toContain("Its whole answer was");
    }));

  test(`[${setting}] a changed call, another tool, another directory and another session are their own calls`, () =>
    played(setting, async (session, world) => {
      await session.answers("bash", make, failure(broken));
      expect(await session.asks("bash", { command: "make deploy -B" })).toMatchObject({ verdict: "pass" });
      expect(await session.asks("bash", { command: " make deploy" })).toMatchObject({ verdict: "pass" });
      expect(await session.asks("exec_command", make)).toMatchObject({ verdict: "pass" });
      expect(await session.asks("bash", make, { cwd: world.root })).toMatchObject({ verdict: "pass" });
      expect(await playSession(session.core, world, "other").asks("bash", make)).toMatchObject({ verdict: "pass" });
      expect(await session.asks("bash", make)).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
    }));

  test(`[${setting}] the order of arguments and the commentary are no part of a call`, () =>
    played(setting, async (session) => {
      await session.answers("search", { index: "logs-*", size: 5, nested: { b: 1, a: 2 } }, failure("unknown index"));
      expect(await session.asks("search", { nested: { a: 2, b: 1 }, size: 5, index: "logs-*" })).toMatchObject({
        verdict: "refuse",
      });
      await session.answers("bash", { ...make, i: "deploy it" }, failure(broken), { purpose: "deploy it" });
      expect(await session.asks("bash", { i: "once more", ...make }, { purpose: "once more" })).toMatchObject({
        verdict: "refuse",
      });
    }));

  test(`[${setting}] \`tama calls failed\` and \`tama calls retry\` say what the spec says`, () =>
    played(setting, async (session, world) => {
      expect(await keptCalls(world)).toEqual({});
      await session.answers("bash", make, failure(broken));
      const [call, kept] = await onlyKept(world);

      const empty = await tama(world, ["calls", "retry", call, "--session", "s", "--because", ""]);
      expect(empty).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: "calls: tama calls retry --because takes what changed since the call failed; it was empty\n",
      });
      const unknown = await tama(world, ["calls", "retry", "nope", "--session", "s", "--because", "x"]);
      expect(unknown).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: "calls: session s keeps no failed call nope; `tama calls failed --session s` lists them\n",
      });
      expect(await session.asks("bash", make)).toMatchObject({ verdict: "refuse" });

      const retried = await tama(world, ["calls", "retry", call, "--session", "s", "--because", "the target is there"]);
      expect(retried).toMatchObject({ code: 0, signal: null, stderr: "" });
      expect(JSON.parse(retried.stdout)).toEqual({
        session: "s",
        call,
        failed: { ...kept, retry: "the target is there" },
      });
      expect(await onlyKept(world)).toEqual([call, { ...kept, retry: "the target is there" }]);
    }));

  test(`[${setting}] a retry lifts the hold until the call fails again, and every other gate still decides`, async () => {
    const world = makeRepeatWorld(setting);
    const core = await startCore(world);
    const session = playSession(core, world, "s");
    await session.answers("bash", make, failure(broken));
    const [call] = await onlyKept(world);
    await tama(world, ["calls", "retry", call, "--session", "s", "--because", "installed it"]);
    await session.runs("bash", make, failure("second failure"));
    expect((await onlyKept(world))[1]).toMatchObject({ said: "second failure", retry: null });
    const held = await session.asks("bash", make);
    expect(held).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
    expect(String(held["reason"])).toContain(": second failure. Repeated unchanged");

    await declareHook(world, { id: "says-no", command: [world.script("no", "echo not now >&2; exit 2")] });
    await tama(world, ["calls", "retry", call, "--session", "s", "--because", "installed it"]);
    expect(await session.asks("bash", make)).toMatchObject({ verdict: "refuse", blockedHookId: "says-no" });
    expect((await onlyKept(world))[1]).toMatchObject({ by: "refused", said: "not now", retry: null });
    await core.close();
    world.remove();
  });

  test(`[${setting}] a call that succeeds is no longer kept`, () =>
    played(setting, async (session, world) => {
      await session.answers("bash", make, failure(broken));
      const [call] = await onlyKept(world);
      await tama(world, ["calls", "retry", call, "--session", "s", "--because", "installed it"]);
      await session.runs("bash", make, success());
      expect(await keptCalls(world)).toEqual({});
      await session.runs("bash", make, success());
    }));

  test(`[${setting}] a successful write or edit releases every call the session kept, a failed one none`, () =>
    played(setting, async (session, world) => {
      await session.answers("bash", make, failure(broken));
      await session.answers("read", { path: "a.json" }, failure("not found"));
      await session.runs("edit", { path: "a.ts", old: "x", new: "y" }, failure("text not found in file"));
      await session.runs("write", { path: "/no/such", content: "" }, failure("ENOENT"));
      expect(Object.keys(await keptCalls(world))).toHaveLength(4);
      expect(await session.asks("bash", make)).toMatchObject({ verdict: "refuse" });
      await session.runs("write", { path: "Makefile", content: "deploy:\n" }, success());
      expect(await keptCalls(world)).toEqual({});
      await session.runs("bash", make, failure("again"));
      expect(await session.asks("bash", make)).toMatchObject({ verdict: "refuse" });
      await session.runs("edit", { path: "Makefile", old: "deploy:", new: "deploy: all" }, success());
      expect(await session.asks("bash", make)).toMatchObject({ verdict: "pass" });
    }));

  test(`[${setting}] a write of another session releases nothing here`, () =>
    played(setting, async (session, world) => {
      await session.answers("bash", make, failure(broken));
      const other = playSession(session.core, world, "other");
      await other.runs("write", { path: "Makefile", content: "x" }, success());
      expect(await session.asks("bash", make)).toMatchObject({ verdict: "refuse" });
    }));

  test(`[${setting}] a look and a failed call between release nothing`, () =>
    played(setting, async (session) => {
      await session.answers("read", { path: "state.json" }, failure("Path 'state.json' not found"));
      await session.runs("bash", { command: "ls -la" }, success("total 0"));
      await session.runs("bash", { command: "git status --short" }, success(""));
      await session.runs("bash", { command: "cat state.json" }, failure("No such file"));
      expect(await session.asks("read", { path: "state.json" })).toMatchObject({ verdict: "refuse" });
    }));

  test(`[${setting}] what is kept outlives the core`, async () => {
    const world = makeRepeatWorld(setting);
    const first = await startCore(world);
    await playSession(first, world, "s").answers("bash", make, failure(broken));
    first.kill("SIGKILL");
    await first.ended;
    const second = await startCore(world);
    expect(await playSession(second, world, "s").asks("bash", make)).toMatchObject({ verdict: "refuse" });
    await second.close();
    world.remove();
  });

  test(`[${setting}] the native requests calls/failed and calls/retry do the same`, () =>
    played(setting, async (session, world) => {
      await session.answers("bash", make, failure(broken));
      const [call, kept] = await onlyKept(world);
      const { core } = session;
      expect(await core.request("calls/failed", { session: "s" })).toMatchObject({
        ok: true,
        answer: { calls: { [call]: kept } },
      });
      for (const [operation, body, field] of [
        ["calls/failed", {}, "session"],
        ["calls/failed", { session: "" }, "session"],
        ["calls/retry", { session: "s" }, "call"],
        ["calls/retry", { session: "s", call: "", because: "x" }, "call"],
        ["calls/retry", { session: "s", call }, "because"],
        ["calls/retry", { session: "s", call, because: "  " }, "because"],
      ] as const) {
        expect(await core.request(operation, body)).toMatchObject({
          ok: false,
          error: `${operation} needs a nonempty ${field}`,
        });
      }
      expect(await core.request("calls/retry", { session: "s", call: "nope", because: "x" })).toMatchObject({
        ok: false,
        error: "session s keeps no failed call nope; `tama calls failed --session s` lists them",
      });
      expect(await core.request("calls/retry", { session: "s", call, because: "x" })).toMatchObject({
        ok: true,
        answer: { session: "s", call, failed: { ...kept, retry: "x" } },
      });
      expect(await session.asks("bash", make)).toMatchObject({ verdict: "pass" });
    }));
}

test("usage errors of tama calls print the usage on stderr and exit 2", async () => {
  const world = makeRepeatWorld("full");
  for (const words of [
    ["calls"],
    ["calls", "forget"],
    ["calls", "failed"],
    ["calls", "failed", "--session"],
    ["calls", "failed", "--session", ""],
    ["calls", "failed", "--session", "--agent"],
    ["calls", "failed", "--session", "s", "--agent"],
    ["calls", "failed", "--session", "s", "--agent", ""],
    ["calls", "failed", "--session", "s", "--all"],
    ["calls", "failed", "--session", "s", "more"],
    ["calls", "retry"],
    ["calls", "retry", "abc"],
    ["calls", "retry", "abc", "--session", "s"],
    ["calls", "retry", "abc", "--session", "s", "--because"],
    ["calls", "retry", "abc", "--because", "--session", "s"],
    ["calls", "retry", "abc", "--because", "x"],
    ["calls", "retry", "--session", "s", "--because", "x"],
  ]) {
    const ended = await tama(world, words);
    expect([words, ended.code, ended.stdout]).toEqual([words, 2, ""]);
    expect(ended.stderr).toContain("usage: tama calls");
  }
  world.remove();
});
