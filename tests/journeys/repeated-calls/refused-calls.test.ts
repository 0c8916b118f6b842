import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { startCore } from "../core-driver.ts";
import { declareHook, tama, type World } from "../tama-command.ts";
import { failure, keptCalls, makeRepeatWorld, playSession } from "./played-session.ts";

/** Calls that a gate refused, beside one that failed: what releases them, and how a harness tells a refusal back (spec: calls). */
for (const setting of ["full", "spec"] as const) {
  test(`[${setting}] a kept judgement releases a refused call only`, async () => {
    const world = makeRepeatWorld(setting);
    const { core, session } = await refusedAndFailed(world);
    world.write("tama-home/judgements/0123abcd.json", "{}");
    expect(await session.asks("bash", { command: "cat broken" })).toMatchObject({ blockedHookId: "repeat" });
    expect(await session.asks("bash", { command: "forbidden" })).toMatchObject({ blockedHookId: "forbids" });
    const kept = Object.values(await keptCalls(world)).find((one) => one.by === "refused");
    expect(kept?.answers).toEqual(["0123abcd"]);
    expect(await session.asks("bash", { command: "forbidden" })).toMatchObject({ blockedHookId: "repeat" });
    await core.close();
    world.remove();
  });

  test(`[${setting}] a replaced catalog releases a refused call only`, async () => {
    const world = makeRepeatWorld(setting);
    const { core, session } = await refusedAndFailed(world);
    await tama(world, ["hooks", "withdraw", "forbids"]);
    expect(await session.asks("bash", { command: "cat broken" })).toMatchObject({ blockedHookId: "repeat" });
    expect(await session.asks("bash", { command: "forbidden" })).toMatchObject({ verdict: "pass" });
    await core.close();
    world.remove();
  });

  test(`[${setting}] a judgement that was there before the refusal releases nothing`, async () => {
    const world = makeRepeatWorld(setting);
    world.write("tama-home/judgements/old.json", "{}");
    const { core, session } = await refusedAndFailed(world);
    expect(await session.asks("bash", { command: "forbidden" })).toMatchObject({ blockedHookId: "repeat" });
    await core.close();
    world.remove();
  });
}

test("a refused call is kept with who refused it and under which catalog", async () => {
  const world = makeRepeatWorld("full");
  const { core, session } = await refusedAndFailed(world);
  const refused = await session.asks("bash", { command: "forbidden" });
  expect(String(refused["reason"])).toStartWith("this session's same call was refused at ");
  const file = JSON.parse(readFileSync(`${world.home}/failed-calls/s.json`, "utf8")) as {
    calls: Record<string, { hook?: string; catalog: string }>;
  };
  expect(file.calls[String(refused["call"])]).toMatchObject({
    hook: "forbids",
    catalog: String(core.ready["catalog"]),
  });
  await core.close();
  world.remove();
});

test("the refusal a harness tells back as a failing result is no failure of the call", async () => {
  const world = makeRepeatWorld("full");
  const { core, session } = await refusedAndFailed(world);
  const denied = await session.asks("bash", { command: "forbidden now" }, { call: "c9" });
  await session.answers("bash", { command: "forbidden now" }, failure(`Blocked: ${denied["reason"]}`), { call: "c9" });
  await session.asks("bash", { command: "forbidden too" });
  await session.answers("bash", { command: "forbidden too" }, failure("Blocked: no, never"));
  expect(Object.values(await keptCalls(world)).map((one) => one.by)).toEqual([
    "refused",
    "failed",
    "refused",
    "refused",
  ]);
  await core.close();
  world.remove();
});

async function refusedAndFailed(
  world: World & { readonly register: string; readonly work: string },
): Promise<{ core: Awaited<ReturnType<typeof startCore>>; session: ReturnType<typeof playSession> }> {
  const script = world.script("forbids", "grep -q forbidden && { echo 'no, never' >&2; exit 2; }\nexit 0");
  await declareHook(world, { id: "forbids", command: [script] });
  const core = await startCore(world);
  const session = playSession(core, world, "s");
  expect(await session.asks("bash", { command: "forbidden" })).toMatchObject({ blockedHookId: "forbids" });
  await session.answers("bash", { command: "cat broken" }, failure("it broke"));
  expect(await session.asks("bash", { command: "forbidden" })).toMatchObject({
    blockedHookId: "repeat",
    failed: { by: "refused", said: "no, never" },
  });
  return { core, session };
}
