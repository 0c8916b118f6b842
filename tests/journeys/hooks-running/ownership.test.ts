import { afterEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOf, lookAt, processesWith } from "../process-table.ts";
import { tama, tamaBinary } from "../tama-command.ts";
import { until } from "../until.ts";
import { assignedRecords } from "./held-hook.ts";
import { holdLock, lockIsHeld } from "./lock-probe.ts";
import { birthOf, coreWithHook, endWorlds, newWorld, onlyRecord, pidsIn, running, startHere } from "./owned-worlds.ts";

afterEach(endWorlds);

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

test("an inspection removes the beginnings of records whose writer is gone, and no other", async () => {
  const world = newWorld();
  const inFlight = join(world.home, "in-flight");
  await tama(world, ["hooks", "declare", "block-idle-answer"]);
  mkdirSync(inFlight, { recursive: true });
  const gone = Bun.spawnSync(["/bin/sh", "-c", "echo $$"]).stdout.toString().trim();
  const begun = (pid: string | number): string => `.${"0".repeat(32)}.json.${pid}.0123456789ab.tmp`;
  for (const name of [begun(gone), begun(process.pid)]) writeFileSync(join(inFlight, name), "");
  expect(await tama(world, ["hooks", "running"])).toMatchObject({ code: 0 });
  expect(readdirSync(inFlight)).toEqual([begun(process.pid)]);
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
