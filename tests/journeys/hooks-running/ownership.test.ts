import { afterEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type DrivenCore, startCore } from "../core-driver.ts";
import { allPids, commandOf, lookAt, processesWith, runs } from "../process-table.ts";
import { declareHook, makeWorld, tama, tamaBinary, type World } from "../tama-command.ts";
import { until } from "../until.ts";
import { assignedRecords } from "./held-hook.ts";
import { holdLock, lockIsHeld } from "./lock-probe.ts";

let worlds: World[] = [];
afterEach(() => {
  for (const world of worlds) {
    for (const one of processesWith(world.root)) process.kill(one.pid, "SIGKILL");
    world.remove();
  }
  worlds = [];
});

function newWorld(): World {
  const world = makeWorld();
  worlds.push(world);
  mkdirSync(join(world.home, "in-flight"), { recursive: true, mode: 0o700 });
  return world;
}

interface Running {
  readonly hooks: readonly Record<string, unknown>[];
  readonly errors: readonly string[];
}

async function running(world: World): Promise<Running & { readonly code: number | null }> {
  const ended = await tama(world, ["hooks", "running", "--json"]);
  return { code: ended.code, ...(JSON.parse(ended.stdout) as Running) };
}

/** Starts a core whose one hook writes its pid to `<root>/hook.pid` and then runs `body`. */
async function coreWithHook(world: World, body: string): Promise<{ core: DrivenCore; dispatch: string; pid: number }> {
  const script = world.script(
    "waiting-hook.sh",
    `echo $$ > ${world.root}/hook.pid.new; mv ${world.root}/hook.pid.new ${world.root}/hook.pid\n${body}`,
  );
  await declareHook(world, { id: "waiting-hook", command: [script] });
  const core = await startCore(world);
  const dispatch = core.begin("tool_call", {
    session: "s/1",
    tool: "bash",
    input: { command: "make" },
    cwd: world.root,
  });
  const pid = await until("the hook running", () => pidIn(world, "hook.pid"));
  return { core, dispatch, pid };
}

function pidIn(world: World, name: string): number | null {
  const path = join(world.root, name);
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : null;
}

test("owned-hook refuses direct invocation, and a channel in a group it does not lead", async () => {
  const world = newWorld();
  const words = ["owned-hook", "0".repeat(32), join(world.home, "in-flight"), "1", "-"];
  const direct = await tama(world, words);
  expect(direct).toMatchObject({ code: 1, stdout: "" });
  expect(direct.stderr).toContain("owned-hook: no inherited core channel on descriptor 3");

  const inOurGroup = Bun.spawn([tamaBinary, ...words], {
    env: { ...world.environment },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const said = await inOurGroup.stderr.text();
  expect(await inOurGroup.exited).toBe(1);
  expect(said).toContain(
    `process ${inOurGroup.pid} does not lead its own process group (it is in group ${lookAt(process.pid)?.group})`,
  );

  const leading = Bun.spawn([tamaBinary, "owned-hook"], {
    env: { ...world.environment },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  expect(await leading.stderr.text()).toContain("started without a birth identity");
  expect(await leading.exited).toBe(1);
  expect(readdirSync(join(world.home, "in-flight"))).toEqual([]);
});

test("a hook finds its own birth recorded, assigned and locked before its first instruction", async () => {
  const world = newWorld();
  const look = `record="$TAMA_HOME/in-flight/$TAMA_BIRTH.json"\ncp "$record" ${world.root}/seen\nflock -n "$record" true && echo free > ${world.root}/lock || echo held > ${world.root}/lock\ntouch ${world.root}/looked\nsleep 600`;
  const { core, dispatch } = await coreWithHook(world, look);
  await until("the hook has looked", () => existsSync(join(world.root, "looked")));
  await core.cancel(dispatch);
  await core.close();
  const [birth, assignment] = readFileSync(join(world.root, "seen"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(birth).toMatchObject({ core: { pid: core.pid }, hookBirthIdentity: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(assignment).toMatchObject({ hook: "waiting-hook", session: "s/1", dispatch });
  expect(readFileSync(join(world.root, "lock"), "utf8")).toBe("held\n");
});

test("hooks running --json names owner, hook, descendants and progress; idle supervisors are no hooks", async () => {
  const world = newWorld();
  const { core, dispatch, pid } = await coreWithHook(
    world,
    "echo one >&2; echo two >&2; sleep 600 & setsid sleep 600 & wait",
  );
  await core.progress(dispatch, "two");
  const sleepers = await until("both sleepers", () => {
    const found = processesWith(world.root).filter((one) => commandOf(one.pid) === "sleep 600");
    return found.length === 2 ? found.map((one) => one.pid) : null;
  });
  const seen = await running(world);
  const person = await tama(world, ["hooks", "running"]);
  await core.close();
  const [record] = seen.hooks;
  expect(seen).toMatchObject({ code: 0, errors: [] });
  expect(seen.hooks).toHaveLength(1);
  expect(Object.keys(record ?? {}).sort()).toEqual(
    [
      "hookBirthIdentity",
      "ownershipState",
      "coreAlive",
      "pid",
      "pgid",
      "start",
      "hook",
      "command",
      "session",
      "dispatch",
      "descendants",
      "progress",
    ].sort(),
  );
  expect(record).toMatchObject({
    ownershipState: "owned",
    coreAlive: true,
    hook: "waiting-hook",
    session: "s/1",
    dispatch,
    progress: ["one", "two"],
  });
  expect(record?.["pid"]).toBe(record?.["pgid"]);
  expect(pidsIn(record?.["descendants"])).toEqual([pid, ...sleepers].sort());
  expect(person.stdout).toContain("waiting-hook  owned");
  expect(await running(world)).toMatchObject({ hooks: [], errors: [] });
});

test("waiting for another inspector is visible, and goes on when that one is done", async () => {
  const world = newWorld();
  const lock = join(world.home, "ownership-inspection.lock");
  const release = holdLock(lock);
  const child = Bun.spawn([tamaBinary, "hooks", "running"], {
    env: { ...world.environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  let said = "";
  for await (const chunk of child.stderr) {
    said += Buffer.from(chunk).toString();
    if (said.includes("\n")) break;
  }
  expect(said).toContain("waiting for another inspection of running hooks");
  expect(said).toContain(lock);
  expect(child.exitCode).toBe(null);
  release();
  expect(await child.exited).toBe(0);
});

test("what cannot be read is an error that names it, never an empty list", async () => {
  const world = newWorld();
  const folder = join(world.home, "in-flight");
  const files: Record<string, string | null> = {
    "a-torn.json": '{"hookBirthIdentity":"x","pid":',
    "b-other.json": '{"some":"thing"}\n',
    "c-empty.json": "",
    "d-middle.json": `${JSON.stringify(birthOf(4194303, "1@0/0"))}\n{"hook":\n{"progress":"x"}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text ?? "");
  mkdirSync(join(folder, "e-folder.json"));
  symlinkSync("/etc/hostname", join(folder, "f-link.json"));
  Bun.spawnSync(["mkfifo", join(folder, "g-pipe.json")]);
  const seen = await running(world);
  expect(seen).toMatchObject({ code: 1, hooks: [] });
  const names = [...Object.keys(files), "e-folder.json", "f-link.json", "g-pipe.json"];
  expect(seen.errors).toHaveLength(names.length);
  for (const [at, name] of names.entries()) expect(seen.errors[at]).toContain(name);
  expect(seen.errors[3]).toContain("byte ");
  expect(seen.errors[5]).toContain("symbolic link");
  expect(readdirSync(folder).sort()).toEqual(names);
  const person = await tama(world, ["hooks", "running"]);
  expect(person.stdout).not.toContain("no hook is running");
});

test.skipIf(process.getuid?.() === 0)(
  `a folder that may not be read is an error${process.getuid?.() === 0 ? " (skipped: the superuser may read every folder)" : ""}`,
  async () => {
    const world = newWorld();
    chmodSync(join(world.home, "in-flight"), 0);
    expect(await running(world)).toMatchObject({ code: 1, hooks: [] });
    chmodSync(join(world.home, "in-flight"), 0o700);
  },
);

test("an unlocked record of something that ended is removed, and one torn in its last line is read", async () => {
  const world = newWorld();
  const folder = join(world.home, "in-flight");
  writeFileSync(join(folder, "gone.json"), `${JSON.stringify(birthOf(4194303, "1@0/0"))}\n{"hook":"h","comma`);
  expect(await running(world)).toMatchObject({ code: 0, hooks: [], errors: [] });
  expect(readdirSync(folder)).toEqual([]);
});

test("a recycled number in a birth record or a legacy record is never signalled", async () => {
  const world = newWorld();
  const folder = join(world.home, "in-flight");
  const innocent = Bun.spawn(["sleep", "600"], { env: {} });
  const record = join(folder, "recycled.json");
  writeFileSync(
    record,
    `${JSON.stringify({ ...birthOf(innocent.pid, startHere(77)), core: { pid: innocent.pid, start: startHere(78) } })}\n`,
  );
  writeFileSync(
    join(folder, "legacy-recycled.json"),
    JSON.stringify({ pid: innocent.pid, start: "Mon Jan 1 00:00:00 2001" }),
  );
  writeFileSync(join(folder, "legacy.json"), JSON.stringify({ pid: innocent.pid, hook: "old" }));
  // Somebody who only reads the record is innocent too; what holds its lock was given it by the hook's supervisor.
  const reader = Bun.spawn(["sleep", "600"], { env: {}, stdin: Bun.file(record) });
  const survivor = Bun.spawn(["flock", "--no-fork", record, "sleep", "605"], { env: {} });
  await until("the lock held", () => lockIsHeld(record));
  const seen = await running(world);
  const ended = await tama(world, ["hooks", "running", "--end-orphans", "--json"]);
  const person = await tama(world, ["hooks", "running", "--end-orphans"]);
  const spared = [runs(innocent.pid), runs(reader.pid)];
  innocent.kill();
  reader.kill();

  expect(seen.hooks).toMatchObject([
    { ownershipState: "legacy", hook: "old", pid: innocent.pid, coreAlive: null },
    { ownershipState: "orphaned", coreAlive: false, descendants: [{ pid: survivor.pid }] },
  ]);
  expect(spared).toEqual([true, true]);
  const { terminations } = JSON.parse(ended.stdout);
  expect(terminations).toHaveLength(2);
  expect(terminations).toContainEqual(expect.objectContaining({ pid: survivor.pid, signal: "sent", endSeen: true }));
  expect(terminations).toContainEqual(
    expect.objectContaining({ pid: innocent.pid, signal: "refused", endSeen: false, hookBirthIdentity: null }),
  );
  expect(ended.code).toBe(1);
  expect(person.stdout).toContain("not signalled");
  expect(readdirSync(folder)).toEqual(["legacy.json"]);
});

test("--end-orphans ends what a killed core and a killed supervisor left, tells a signal from an end, and leaves the living alone", async () => {
  const world = newWorld();
  const { core, pid } = await coreWithHook(world, "exec 3>&-; (exec 4>&-; exec setsid sleep 600) & sleep 601");
  const [record = ""] = await until("the record", () => onlyRecord(world));
  const supervisor = JSON.parse(readFileSync(join(world.home, "in-flight", record), "utf8").split("\n")[0] ?? "")
    .pid as number;
  const sleepers = await until("both sleepers", () => sleepersOf(world));
  // The core is stopped first, so that it cannot clean up between the two kills.
  process.kill(core.pid, "SIGSTOP");
  process.kill(supervisor, "SIGKILL");
  // While the supervisor still had its channel, the core's end would take the group along.
  await until("the supervisor gone", () => !runs(supervisor));
  process.kill(core.pid, "SIGKILL");
  await core.ended;
  const other = await startCoreWithoutSweep(world);
  const seen = await running(world);
  const ended = await tama(world, ["hooks", "running", "--end-orphans", "--json"]);
  const after = await running(world);
  await other.close();

  expect([pid, ...sleepers].filter(runs)).toEqual([]);
  expect(seen.hooks).toMatchObject([{ ownershipState: "orphaned", coreAlive: false, hook: "waiting-hook" }]);
  expect(pidsIn(seen.hooks[0]?.["descendants"])).toEqual([pid, ...sleepers].sort());
  const { terminations, errors } = JSON.parse(ended.stdout);
  expect(errors).toEqual([]);
  expect(terminations.map((one: { pid: number }) => one.pid).sort()).toEqual([pid, ...sleepers].sort());
  for (const one of terminations) expect(one).toMatchObject({ signal: "sent", endSeen: true, cause: null });
  expect(ended.code).toBe(0);
  expect(after).toMatchObject({ hooks: [], errors: [] });
  expect(assignedRecords(world)).toEqual({});
});

test("a supervisor of a living core is a hook only while its hook runs", async () => {
  const world = newWorld();
  const core = { pid: process.pid, start: startHere(Number(lookAt(process.pid)?.startTicks)) };
  const assignment = { hook: "h", command: "h", session: null, dispatch: "d", at: "2026-01-01T00:00:00.000Z" };
  const stages: readonly (readonly object[])[] = [[], [assignment], [assignment, { progress: "p" }, { ended: true }]];
  for (const [at, lines] of stages.entries()) {
    const record = join(world.home, "in-flight", `stage-${at}.json`);
    const birth = { ...birthOf(4194303, startHere(1)), core };
    writeFileSync(record, [birth, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
    const release = holdLock(record);
    expect((await running(world)).hooks.map((one) => one["ownershipState"])).toEqual(at === 1 ? ["owned"] : []);
    release();
  }
});

test("a core that starts ends what dead cores left, and nothing else", async () => {
  const world = newWorld();
  const bystander = Bun.spawn(["sleep", "604"], {
    env: { ...world.environment },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const first = await coreWithHook(world, "(exec 3>&- 4>&-; exec setsid sleep 600) & sleep 601");
  const sleepers = await until("both sleepers", () => sleepersOf(world));
  const escaped = sleepers.find((one) => commandOf(one) === "sleep 600") ?? 0;
  first.core.kill("SIGKILL");
  await first.core.ended;
  await until("the group gone", () => !runs(first.pid));
  expect(runs(escaped)).toBe(true);

  const second = await startCore(world);
  const dispatch = second.begin("tool_call", { session: "s/2", tool: "bash", input: { command: "other" } });
  await until("the escapee gone", () => !runs(escaped));
  await until("the sweep said", () =>
    second.stderr().includes(`ended process ${escaped}, left behind by a core that is gone`),
  );
  const third = await startCore(world);
  await third.request("hooks/end-orphans");
  const alive = (await running(world)).hooks.map((one) => [one["ownershipState"], one["dispatch"]]);
  expect(alive).toEqual([["owned", dispatch]]);
  expect(runs(bystander.pid)).toBe(true);
  bystander.kill();
  await second.close();
  await third.close();
});

test("what the core was given as a child before it began stays, also when a supervisor dies without a word", async () => {
  const world = newWorld();
  const script = world.script("waiting-hook.sh", `echo $$ > ${world.root}/hook.pid; sleep 600`);
  await declareHook(world, { id: "waiting-hook", command: [script] });
  const given = world.script(
    "give.sh",
    `sleep 602 >/dev/null 2>&1 & setsid sleep 603 >/dev/null 2>&1 & until pgrep -f 'sleep 60[3]' >/dev/null; do :; done; exec "$@"`,
  );
  const core = await startCore(world, { under: [given] });
  const answer = core.dispatch("tool_call", { session: "s", tool: "bash", input: { command: "x" } });
  await until("the hook running", () => pidIn(world, "hook.pid"));
  const [name = ""] = await until("the record", () => onlyRecord(world));
  const supervisor = JSON.parse(readFileSync(join(world.home, "in-flight", name), "utf8").split("\n")[0] ?? "")
    .pid as number;
  process.kill(supervisor, "SIGKILL");
  expect(await answer).toMatchObject({
    ok: true,
    verdict: "refuse",
    infrastructure: true,
    reason: expect.stringContaining("its supervisor ended before it answered"),
  });
  const living = allPids()
    .filter((pid) => lookAt(pid)?.parent === core.pid)
    .map(commandOf);
  expect(living).toContain("sleep 602");
  expect(living).toContain("sleep 603");
  expect(
    processesWith(world.root)
      .map((one) => commandOf(one.pid))
      .filter((one) => one.includes("sleep 600")),
  ).toEqual([]);
  await core.close();
});

test("a record that another keeps locked stays, whatever its numbers say", async () => {
  const world = newWorld();
  const { core, dispatch } = await coreWithHook(world, "sleep 600");
  const [name = ""] = await until("the record", () => onlyRecord(world));
  expect(lockIsHeld(join(world.home, "in-flight", name))).toBe(true);
  for (let look = 0; look < 5; look++) expect((await running(world)).hooks).toHaveLength(1);
  expect(Object.keys(assignedRecords(world))).toEqual([name]);
  await core.cancel(dispatch);
  await core.answer(dispatch);
  expect(existsSync(join(world.home, "in-flight", name))).toBe(false);
  await core.close();
});

function pidsIn(descendants: unknown): readonly number[] {
  return (descendants as { pid: number }[]).map((one) => one.pid).sort();
}

function birthOf(pid: number, start: string): object {
  return { hookBirthIdentity: "f".repeat(32), pid, pgid: pid, start, core: { pid: 4194302, start: "1@0/0" } };
}

/** A start of this boot and this pid namespace, as records name it; of another one nothing could be told. */
function startHere(ticks: number): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
  return `${ticks}@${boot}/${/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0]}`;
}

function onlyRecord(world: World): readonly string[] | null {
  const names = Object.keys(assignedRecords(world));
  return names.length === 1 ? names : null;
}

function sleepersOf(world: World): readonly number[] | null {
  const found = processesWith(world.root).filter((one) => /^sleep 60[01]$/.test(commandOf(one.pid)));
  return found.length === 2 ? found.map((one) => one.pid) : null;
}

/** A living core beside the orphans; it is told to look only after the test has, so its own sweep must not come first. */
async function startCoreWithoutSweep(world: World): Promise<DrivenCore> {
  const other = makeWorld();
  worlds.push(other);
  return await startCore({ ...other, home: world.home });
}
