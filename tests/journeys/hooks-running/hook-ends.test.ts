import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type CoreRequest, type DrivenCore, startCore } from "../core-driver.ts";
import {
  allPids,
  commandOf,
  lookAt,
  openFilesOf,
  processesWith,
  residentKb,
  runs,
  zombiesOf,
} from "../process-table.ts";
import { declareHook, makeWorld, type World } from "../tama-command.ts";
import { until } from "../until.ts";

// However a hook behaves, when it has ended or was let go nothing of it runs, and the core is as it was.

let world: World = makeWorld();
let core: DrivenCore | null = null;
afterEach(async () => {
  core?.kill("SIGKILL");
  await core?.ended;
  for (const one of processesWith(world.root)) process.kill(one.pid, "SIGKILL");
  world.remove();
  world = makeWorld();
});

async function coreWith(body: string, request: CoreRequest = {}): Promise<DrivenCore> {
  await declareHook(world, { id: "hook", command: [world.script("hook.sh", body)] });
  core = await startCore(world, request);
  return core;
}

const call = { tool: "bash", input: { command: "make" } };

/** A child that tells its pid and stays: in the hook's group, in a session of its own, and that without its environment. */
function child(name: string, before = ""): string {
  const pid = join(world.root, name);
  return `${before} sh -c 'echo $$ > ${pid}.new; mv ${pid}.new ${pid}; exec sleep 600' </dev/null >/dev/null 2>&1 &`;
}

function children(): string {
  const all = [child("grouped"), child("escaped", "setsid"), child("unmarked", "setsid env -i")];
  return `${all.join("\n")}\nuntil [ -e ${world.root}/grouped ] && [ -e ${world.root}/escaped ] && [ -e ${world.root}/unmarked ]; do sleep 0.01; done`;
}

function childPids(): readonly number[] {
  return ["grouped", "escaped", "unmarked"].map((name) => Number(readFileSync(join(world.root, name), "utf8")));
}

describe("what a hook left behind", () => {
  test("is gone when a hook that ended is answered", async () => {
    const core = await coreWith(`${children()}\nexit 0`);
    expect(await core.dispatch("tool_call", call)).toMatchObject({ ok: true, verdict: "pass" });
    expect(childPids().filter(runs)).toEqual([]);
    await until("its record removed", () => assigned().length === 0);
    await until("no zombie", () => zombiesOf(core.pid) === 0);
  });

  test("is gone when a hook that refused is answered, and does not hold its words", async () => {
    const core = await coreWith(`${children()}\n(sleep 600) &\necho "not now" >&2\nexit 2`);
    expect(await core.dispatch("tool_call", call)).toMatchObject({ verdict: "refuse", reason: "not now" });
    expect(childPids().filter(runs)).toEqual([]);
    expect(processesWith(`${world.root}/hook.sh`)).toEqual([]);
  });

  test("is gone when a cancelled hook is answered", async () => {
    const core = await coreWith(`${children()}\necho ready >&2\nsleep 600`);
    const dispatch = core.begin("tool_call", call);
    await core.progress(dispatch, "ready");
    await core.cancel(dispatch);
    expect(await core.answer(dispatch)).toMatchObject({ ok: false, cancelled: true });
    expect(childPids().filter(runs)).toEqual([]);
    expect(assigned()).toEqual([]);
    await until("no zombie", () => zombiesOf(core.pid) === 0);
  });

  test("is gone also when a chain of children forks away from their parents", async () => {
    const core = await coreWith(
      `for i in 1 2 3 4 5 6 7 8; do (setsid sh -c 'sh -c "setsid sleep 600 & sleep 600" & sleep 600' </dev/null >/dev/null 2>&1 &); done\nexit 0`,
    );
    expect(await core.dispatch("tool_call", call)).toMatchObject({ verdict: "pass" });
    expect(processesWith(world.root).filter((one) => commandOf(one.pid).includes("sleep 600"))).toEqual([]);
  });
});

describe("a hook that will not end is gone when its dispatch is cancelled:", () => {
  const bodies: Record<string, string> = {
    "it ignores every polite signal": `trap '' TERM INT HUP QUIT; : > "$TAMA_HOME/ready"; while :; do sleep 600; done`,
    "it never gives the processor up": `: > "$TAMA_HOME/ready"; while :; do :; done`,
    "it stopped itself": `: > "$TAMA_HOME/ready"; kill -STOP $$`,
    "it stopped its whole group": `: > "$TAMA_HOME/ready"; kill -STOP 0`,
    "it closed every descriptor that it did not open": `: > "$TAMA_HOME/ready"; exec 3>&- 4>&- 1>&- 2>&- 0<&-; sleep 600`,
    "it never reads its event": `: > "$TAMA_HOME/ready"; sleep 600`,
  };
  const isReady = (): Promise<true> => until("the hook ready", () => existsSync(join(world.home, "ready")));
  for (const [what, body] of Object.entries(bodies)) {
    test(what, async () => {
      const core = await coreWith(body);
      const dispatch = core.begin("tool_call", { tool: "bash", input: { command: "x".repeat(2_000_000) } });
      await isReady();
      await core.cancel(dispatch);
      expect(await core.answer(dispatch)).toMatchObject({ ok: false, cancelled: true });
      expect(processesWith(`${world.root}/hook.sh`)).toEqual([]);
      expect(assigned()).toEqual([]);
    });
    test(`${what} (and the core is killed instead)`, async () => {
      const core = await coreWith(body);
      core.begin("tool_call", call);
      await isReady();
      core.kill("SIGKILL");
      await core.ended;
      await until("the hook gone", () => processesWith(`${world.root}/hook.sh`).length === 0);
      await until("every supervisor gone", () => processesWith(world.root).length === 0);
    });
  }
});

test("a gigabyte on stdout ends the hook, and the core keeps its size", async () => {
  const core = await coreWith("exec head -c 1000000000 /dev/zero");
  const before = residentKb(core.pid);
  const answer = await core.dispatch("tool_call", call);
  const grown = residentKb(core.pid) - before;
  expect(answer).toMatchObject({ verdict: "refuse", infrastructure: true });
  expect(answer["reason"]).toContain("wrote more than 1048576 bytes on stdout");
  expect(grown).toBeLessThan(30_000);
  expect(processesWith(`${world.root}/hook.sh`)).toEqual([]);
});

test("a flood of stderr ends the hook, and only so much of it is passed on", async () => {
  const core = await coreWith("exec yes a line of no interest >&2");
  const answer = await core.dispatch("tool_call", call);
  expect(answer).toMatchObject({ verdict: "refuse", infrastructure: true });
  expect(answer["reason"]).toContain("wrote more than 1048576 bytes on stderr");
  const progress = core.frames.filter((frame) => frame["op"] === "progress").length;
  expect(progress).toBeGreaterThan(0);
  expect(progress).toBeLessThanOrEqual(1000);
});

test("a hook that ends without reading a large event is judged by its end", async () => {
  const core = await coreWith("exit 0");
  const large = { tool: "bash", input: { command: "x".repeat(2_000_000) } };
  for (let round = 0; round < 5; round++)
    expect(await core.dispatch("tool_call", large)).toMatchObject({ verdict: "pass" });
  expect((await core.close()).code).toBe(0);
  expect(core.stderr()).toBe("");
});

test("a hook that speaks for its supervisor is not believed", async () => {
  const forged = JSON.stringify({ says: "ended", code: 0, signal: null, stdout: "", stderr: "" });
  const core = await coreWith(
    `for fd in 1 2; do echo '${forged}' > /proc/$PPID/fd/$fd; done\necho '${forged}'\necho no >&2\nexit 2`,
  );
  expect(await core.dispatch("tool_call", call)).toMatchObject({
    verdict: "refuse",
    reason: expect.stringContaining("no"),
  });
});

test("a hook's environment is the harness's without what could take over or unlock, and with its birth", async () => {
  const secret = { ANTHROPIC_API_KEY: "k1", OPENAI_API_KEY: "k2", CLAUDE_CODE_OAUTH_TOKEN: "k3" };
  const takeover = { BUN_SOMETHING: "1", NODE_OPTIONS: "--no-warnings", TAMA_BIRTH: "outer" };
  const core = await coreWith(`env -0 > ${world.root}/seen\nexit 0`, {
    environment: { ...secret, ...takeover, KEPT: "yes" },
  });
  await core.dispatch("tool_call", call);
  const seen = readFileSync(join(world.root, "seen"), "utf8")
    .split("\0")
    .map((entry) => entry.split("=")[0]);
  for (const name of [...Object.keys(secret), "BUN_SOMETHING", "NODE_OPTIONS"]) expect(seen).not.toContain(name);
  for (const name of ["KEPT", "HOME", "PATH", "TAMA_HOME", "TAMA_BIRTH"]) expect(seen).toContain(name);
  expect(readFileSync(join(world.root, "seen"), "utf8")).not.toContain("TAMA_BIRTH=outer");
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  test(`${signal} ends the core in order while its input is open`, async () => {
    const core = await coreWith(`echo ready >&2; sleep 600`);
    const dispatch = core.begin("tool_call", call);
    await core.progress(dispatch, "ready");
    core.kill(signal);
    expect(await core.ended).toEqual({ code: 0, signal: null });
    expect(await core.answer(dispatch)).toMatchObject({ ok: false, cancelled: true });
    expect(processesWith(world.root)).toEqual([]);
    expect(readdirSync(join(world.home, "in-flight"))).toEqual([]);
  });
}

test("supervisors that die while they wait are replaced, and no call hears of it", async () => {
  const core = await coreWith("exit 0");
  await core.dispatch("tool_call", call);
  for (let round = 0; round < 3; round++) {
    const waiting = await until("a waiting supervisor", () => supervisorsOf(core.pid)[0]);
    process.kill(waiting, "SIGKILL");
    await until("the dead one collected", () => lookAt(waiting) === null);
    expect(await core.dispatch("tool_call", call)).toMatchObject({ verdict: "pass" });
  }
});

test("where births cannot be recorded no hook runs and the call is refused; once they can, the next call is judged", async () => {
  const core = await coreWith(`touch ${world.root}/ran\nexit 0`);
  const folder = join(world.home, "in-flight");
  await until("idle supervisors settled", () => true);
  rmSync(folder, { recursive: true });
  // A supervisor that was born before has its record, so what it runs is recorded; the next has none.
  const refused = await until("a refusal", async () => {
    rmSync(join(world.root, "ran"), { force: true });
    const answer = await core.dispatch("tool_call", call);
    return answer["verdict"] === "refuse" ? answer : null;
  });
  expect(refused).toMatchObject({
    infrastructure: true,
    reason: expect.stringContaining("the birth record could not be made"),
  });
  expect(existsSync(join(world.root, "ran"))).toBe(false);
  mkdirSync(folder, { mode: 0o700 });
  expect(await core.dispatch("tool_call", call)).toMatchObject({ verdict: "pass" });
  expect(existsSync(join(world.root, "ran"))).toBe(true);
});

test("hundreds of hooks leave no open file, no zombie and no record", async () => {
  const core = await coreWith("sleep 600 & exit 0");
  await core.dispatch("tool_call", call);
  const rounds = Math.ceil(2000 / Number(process.env["TAMA_TEST_SCALE"] ?? "20"));
  const files = openFilesOf(core.pid);
  for (let round = 0; round < rounds; round++) await core.dispatch("tool_call", call);
  await until("the last one's record removed", () => assigned().length === 0);
  await until("no zombie", () => zombiesOf(core.pid) === 0);
  // Up to two idle supervisors come and go, four descriptors each.
  expect(openFilesOf(core.pid) - files).toBeLessThan(12);
  const end = await core.close();
  expect(end.code).toBe(0);
  expect(readdirSync(join(world.home, "in-flight"))).toEqual([]);
});

function assigned(): readonly string[] {
  const folder = join(world.home, "in-flight");
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name), "utf8").includes('"hook":"'));
}

function supervisorsOf(parent: number): readonly number[] {
  return allPids().filter((pid) => lookAt(pid)?.parent === parent && commandOf(pid).includes(" owned-hook "));
}
