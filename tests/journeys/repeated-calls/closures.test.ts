import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type DrivenCore, startCore } from "../core-driver.ts";
import { declareHook, tama } from "../tama-command.ts";
import {
  failure,
  keptCalls,
  makeRepeatWorld,
  onlyKept,
  type PlayedSession,
  playSession,
  type RepeatSetting,
  type RepeatWorld,
  success,
} from "./played-session.ts";

/** Oko's register and the repeat rule (spec: calls): open defects, closures, legacy records. The register is written by hand. */
const build = { command: "CI=1 npm run build -- --verbose" };

interface Defect {
  readonly id: string;
  readonly blocks: readonly string[];
  readonly closure?: string | null;
}

function publish(world: RepeatWorld, open: readonly Defect[], closed: readonly Defect[] = []): void {
  const events = closed.map((one) => ({ id: one.closure, defect: one.id, kind: "fixed", at: "2026-01-01T00:00:00Z" }));
  const titled = open.map((one) => ({ title: "a defect", owner: null, claimedFixed: false, ...one }));
  writeFileSync(world.register, JSON.stringify({ open: titled, closed, events }));
}

const bound = (closure?: string | null): Defect => ({
  id: "D-1",
  blocks: ["npm run build"],
  ...(closure === undefined ? {} : { closure }),
});

async function inWorld(
  setting: RepeatSetting,
  play: (session: PlayedSession, world: RepeatWorld, core: DrivenCore) => Promise<void>,
  before: (world: RepeatWorld) => Promise<void> = async () => {},
): Promise<void> {
  const world = makeRepeatWorld(setting);
  await before(world);
  const core = await startCore(world);
  try {
    await play(playSession(core, world, "s"), world, core);
  } finally {
    await core.close();
    world.remove();
  }
}

const declareDefectGate = (world: RepeatWorld): Promise<void> =>
  declareHook(world, {
    id: "block-defective-functionality",
    command: [
      world.script("defect-gate", `if [ -e ${world.root}/owner ]; then exit 0; fi; echo 'D-1 binds this' >&2; exit 2`),
    ],
  });

for (const setting of ["full", "spec"] as const) {
  test(`[${setting}] an open defect holds a bound call where no defect gate is declared, even after a retry`, () =>
    inWorld(setting, async (session, world) => {
      await session.answers("bash", build, failure("tsc crashed"));
      publish(world, [bound()]);
      const [call] = await onlyKept(world);
      await tama(world, ["calls", "retry", call, "--session", "s", "--because", "new compiler"]);
      const held = await session.asks("bash", build);
      expect(held).toMatchObject({ verdict: "refuse", blockedHookId: "repeat" });
      expect(String(held["reason"])).toContain("Oko's open defect D-1 binds this call");
      expect(String(held["reason"])).not.toContain("tama calls retry");
      publish(world, [{ id: "D-2", blocks: ["npm run test", "build", "npm run build --watch"] }]);
      expect(await session.asks("bash", build)).toMatchObject({ verdict: "pass" });
    }));

  test(`[${setting}] with the defect gate declared, that gate decides a bound call`, () =>
    inWorld(
      setting,
      async (session, world) => {
        await session.answers("bash", build, failure("tsc crashed"));
        publish(world, [bound()]);
        expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "block-defective-functionality" });
        expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "block-defective-functionality" });
        world.write("owner", "");
        expect(await session.asks("bash", build, { call: "c1" })).toMatchObject({ verdict: "pass" });
        await session.answers("bash", build, success(), { call: "c1" });
        expect(await keptCalls(world)).toEqual({});
      },
      declareDefectGate,
    ));

  test(`[${setting}] a new closure lets the call run once; failing again it is held again`, () =>
    inWorld(setting, async (session, world) => {
      publish(world, [bound()]);
      await session.answers("bash", build, failure("tsc crashed"));
      expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "repeat" });
      publish(world, [], [bound("E-1")]);
      expect(await session.asks("bash", build, { call: "c1" })).toMatchObject({ verdict: "pass" });
      expect((await onlyKept(world))[1].closures).toEqual(["D-1@E-1"]);
      await session.answers("bash", build, failure("still broken"), { call: "c1" });
      expect((await onlyKept(world))[1]).toMatchObject({ said: "still broken", closures: ["D-1@E-1"] });
      expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "repeat" });
      publish(world, [], [bound("E-3")]);
      expect(await session.asks("bash", build, { call: "c2" })).toMatchObject({ verdict: "pass" });
      await session.answers("bash", build, failure("and again"), { call: "c2" });
      expect((await onlyKept(world))[1].closures).toEqual(["D-1@E-1", "D-1@E-3"]);
      expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "repeat" });
    }));

  test(`[${setting}] a closure that was there when the call failed releases nothing, neither does an unbound one`, () =>
    inWorld(setting, async (session, world) => {
      publish(world, [], [bound("E-1")]);
      await session.answers("bash", build, failure("tsc crashed"));
      expect((await onlyKept(world))[1].closures).toEqual(["D-1@E-1"]);
      expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "repeat" });
      publish(world, [], [bound("E-1"), { id: "D-9", blocks: ["npm run lint"], closure: "E-9" }]);
      expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "repeat" });
    }));

  test(`[${setting}] a defect closed without an event, or open and closed at once, is no closure`, () =>
    inWorld(setting, async (session, world) => {
      await session.answers("bash", build, failure("tsc crashed"));
      publish(world, [], [bound(null)]);
      expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "repeat" });
      publish(world, [bound()], [bound("E-1")]);
      const held = await session.asks("bash", build);
      expect(String(held["reason"])).toContain("Oko's open defect D-1");
      expect((await onlyKept(world))[1].closures).toEqual([]);
    }));

  test(`[${setting}] a call kept before closures were accounted takes those of its next ask as its list`, () =>
    inWorld(setting, async (session, world) => {
      await session.answers("bash", build, failure("tsc crashed"));
      makeLegacy(world);
      publish(world, [], [bound("E-1")]);
      const held = await session.asks("bash", build);
      expect(held).toMatchObject({ blockedHookId: "repeat", failed: { answer: "", closures: ["D-1@E-1"] } });
      expect((await onlyKept(world))[1]).toMatchObject({ answer: "", closures: ["D-1@E-1"] });
      publish(world, [], [bound("E-2")]);
      expect(await session.asks("bash", build)).toMatchObject({ verdict: "pass" });
    }));

  test(`[${setting}] a legacy record that is asked while its defect is open is released by that defect's closure`, () =>
    inWorld(setting, async (session, world) => {
      await session.answers("bash", build, failure("tsc crashed"));
      makeLegacy(world);
      publish(world, [bound()]);
      expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "repeat" });
      publish(world, [], [bound("E-1")]);
      expect(await session.asks("bash", build)).toMatchObject({ verdict: "pass" });
    }));

  test(`[${setting}] an unanswered call accounts for the closures there are when it is found unanswered`, () =>
    inWorld(setting, async (session, world) => {
      await session.asks("bash", build, { call: "c1", message: 1 });
      publish(world, [], [bound("E-1")]);
      expect(await session.asks("bash", build, { call: "c2", message: 2 })).toMatchObject({
        failed: { by: "unanswered", closures: ["D-1@E-1"] },
      });
      publish(world, [], [bound("E-2")]);
      expect(await session.asks("bash", build, { call: "c3", message: 3 })).toMatchObject({ verdict: "pass" });
      expect(await session.asks("bash", build, { call: "c4", message: 4 })).toMatchObject({
        failed: { by: "unanswered", closures: ["D-1@E-1", "D-1@E-2"] },
      });
    }));

  test(`[${setting}] a closure is spent only by a call that runs: not by a cancel, not by a broken hook`, async () => {
    const world = makeRepeatWorld(setting);
    const flag = `${world.root}/mode`;
    const script = `case "$(cat ${flag})" in die) exit 1;; wait) exec sleep 600;; esac; exit 0`;
    writeFileSync(flag, "pass");
    await declareHook(world, { id: "moody", command: [world.script("moody", script)] });
    const core = await startCore(world);
    const session = playSession(core, world, "s");
    await session.answers("bash", build, failure("tsc crashed"));
    publish(world, [], [bound("E-1")]);
    writeFileSync(flag, "die");
    expect(await session.asks("bash", build)).toMatchObject({ infrastructure: true, blockedHookId: "moody" });
    writeFileSync(flag, "wait");
    const id = core.begin("tool_call", { session: "s", cwd: world.work, tool: "bash", input: build });
    await core.cancel(id);
    expect(await core.answer(id)).toMatchObject({ cancelled: true });
    expect((await onlyKept(world))[1].closures).toEqual([]);
    writeFileSync(flag, "pass");
    expect(await session.asks("bash", build)).toMatchObject({ verdict: "pass" });
    expect((await onlyKept(world))[1].closures).toEqual(["D-1@E-1"]);
    await core.close();
    world.remove();
  });

  for (const [verb, content] of [
    ["decode", "{ not json"],
    ["decode", '{"closed":[]}'],
    ["decode", '{"open":[{"id":7}]}'],
    ["read", null],
  ] as const) {
    test(`[${setting}] a register that cannot be ${verb === "read" ? "read" : `decoded (${content})`} refuses a kept call only`, () =>
      inWorld(setting, async (session, world, core) => {
        await session.answers("bash", build, failure("tsc crashed"));
        if (content === null) world.write("defects.json/in-the-way", "");
        else writeFileSync(world.register, content);
        const refused = await session.asks("bash", build);
        expect(refused).toMatchObject({ verdict: "refuse", infrastructure: true, blockedHookId: "repeat", hooks: [] });
        expect(String(refused["reason"])).toStartWith(
          `TAMA_HOOK_INFRASTRUCTURE: the repeat gate cannot ${verb} Oko's register ${world.register}: `,
        );
        expect(await session.asks("bash", { command: "npm run lint" })).toMatchObject({ verdict: "pass" });
        await session.answers("bash", { command: "npm test" }, failure("1 failed"));
        expect(core.stderr()).toContain("Oko's register");
        rmSync(world.register, { recursive: true });
        publish(world, [], [bound("E-1")]);
        expect(await session.asks("bash", { command: "npm test" })).toMatchObject({ blockedHookId: "repeat" });
      }));
  }
}

test("words are matched one by one, behind assignments and wrappers, and tools by their names", () =>
  inWorld("spec", async (session, world) => {
    const lines: readonly (readonly [string, boolean])[] = [
      ["npm run build", true],
      ["cd web && sudo -u me env A=1 npm run build | tail -3", true],
      ["bash -c 'npm run build'", true],
      ["npm run build2", false],
      ["npm run", false],
      ["echo npm run build", false],
    ];
    for (const [command] of lines) await session.answers("bash", { command }, failure("broke"));
    await session.answers("deploy_site", {}, failure("broke"));
    publish(world, [bound(), { id: "D-2", blocks: ["Deploy_Site"] }]);
    for (const [command, isBound] of lines) {
      const reason = String((await session.asks("bash", { command }))["reason"]);
      expect([command, reason.includes("open defect D-1")]).toEqual([command, isBound]);
    }
    expect(String((await session.asks("deploy_site", {}))["reason"])).toContain("open defect D-2");
  }));

test("without a register file nothing is bound and nothing is said", () =>
  inWorld("full", async (session, world, core) => {
    await session.answers("bash", build, failure("tsc crashed"));
    expect(await session.asks("bash", build)).toMatchObject({ blockedHookId: "repeat" });
    expect(existsSync(world.register)).toBe(false);
    expect(core.stderr()).toBe("");
  }));

/** Rewrites the one kept call as an old release kept it: no whole answer, no list of closures. */
function makeLegacy(world: RepeatWorld): void {
  const path = `${world.home}/failed-calls/s.json`;
  const record = JSON.parse(readFileSync(path, "utf8")) as { calls: Record<string, Record<string, unknown>> };
  const calls = Object.fromEntries(
    Object.entries(record.calls).map(([call, { tool, said, by, at, catalog, retry }]) => [
      call,
      { tool, said, by, at, catalog, retry },
    ]),
  );
  writeFileSync(path, JSON.stringify({ calls }));
}
