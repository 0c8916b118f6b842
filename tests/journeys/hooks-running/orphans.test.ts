import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCore } from "../core-driver.ts";
import { allPids, commandOf, lookAt, processesWith, runs } from "../process-table.ts";
import { declareHook, tama } from "../tama-command.ts";
import { until } from "../until.ts";
import { assignedRecords } from "./held-hook.ts";
import { lockIsHeld } from "./lock-probe.ts";
import {
  birthOf,
  coreWithHook,
  endWorlds,
  newWorld,
  onlyRecord,
  pidIn,
  pidsIn,
  running,
  sleepersOf,
  startCoreWithoutSweep,
  startHere,
} from "./owned-worlds.ts";

afterEach(endWorlds);

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
  // The sweep does not wait for the dispatch, nor the dispatch for the sweep.
  await until("the second core's hook assigned", () =>
    Object.values(assignedRecords(world)).some((record) => record.includes(`"dispatch":"${dispatch}"`)),
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
