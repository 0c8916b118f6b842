import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { startCore } from "../core-driver.ts";
import { declareHook, makeWorld, tama, tamaBinary, type World } from "../tama-command.ts";
import { until } from "../until.ts";

/** How a core ends, and that nothing said is lost (contract 2). */
const input = { tool: "bash", input: { command: "x" } };

async function worldWithEndlessHook(): Promise<World> {
  const world = makeWorld();
  await declareHook(world, {
    id: "endless",
    command: [world.script("endless", `echo $$ > ${world.root}/pid; echo started >&2; exec sleep 600`)],
  });
  return world;
}

async function noHookIsLeft(world: World): Promise<void> {
  const pid = Number(await Bun.file(`${world.root}/pid`).text());
  await until("the hook is gone", () => !existsSync(`/proc/${pid}`));
  const running = await tama(world, ["hooks", "running", "--json"]);
  expect(JSON.parse(running.stdout)).toMatchObject({ hooks: [], errors: [] });
}

test("the end of input ends a core with nothing to do at once, exit 0", async () => {
  const world = makeWorld();
  const core = await startCore(world);
  expect(await core.close()).toEqual({ code: 0, signal: null });
  expect(core.stderr()).toBe("");
  world.remove();
});

test("the end of input relinquishes what runs: an answer, no hook left, exit 0", async () => {
  const world = await worldWithEndlessHook();
  const core = await startCore(world);
  core.begin("tool_call", { ...input, session: "s" }, "e1");
  await core.progress("e1", "started");
  core.closeInput();
  expect(await core.answer("e1")).toMatchObject({ ok: false, cancelled: true });
  expect(await core.ended).toEqual({ code: 0, signal: null });
  await noHookIsLeft(world);
  world.remove();
});

test("a last line without its newline is taken at the end of input", async () => {
  const world = makeWorld();
  const core = await startCore(world);
  core.sendBytes(JSON.stringify({ id: "last", op: "dispatch", event: "input", payload: { text: "a" } }));
  core.closeInput();
  expect(await core.answer("last")).toMatchObject({ ok: true, verdict: "pass" });
  const torn = await startCore(world);
  torn.sendBytes('{"id":"torn","op":"disp');
  torn.closeInput();
  expect(await torn.frame("a refusal", (frame) => frame["ok"] === false)).toMatchObject({ id: null });
  expect(await torn.ended).toEqual({ code: 0, signal: null });
  await core.ended;
  world.remove();
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  test(`${signal} ends a core in order: an answer, no hook left, exit 0`, async () => {
    const world = await worldWithEndlessHook();
    const core = await startCore(world);
    core.begin("tool_call", input, "e1");
    await core.progress("e1", "started");
    core.kill(signal);
    expect(await core.answer("e1")).toMatchObject({
      ok: false,
      cancelled: true,
      reason: `the core was told to end (${signal}), so this dispatch was relinquished`,
    });
    expect(await core.ended).toEqual({ code: 0, signal: null });
    await noHookIsLeft(world);
    world.remove();
  });
}

test("a signal ends the hooks also while a reader lets the core wait", async () => {
  const world = await worldWithEndlessHook();
  const child = Bun.spawn([tamaBinary, "run-hook", "omp", "--serve"], {
    env: world.environment,
    cwd: world.root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.write(`${JSON.stringify({ id: "e1", op: "dispatch", event: "tool_call", payload: input })}\n`);
  await child.stdin.flush();
  await until("the hook runs", () => existsSync(`${world.root}/pid`));
  const long = `${JSON.stringify({ id: "v".repeat(1_000_000), op: "cancel", dispatchId: "none" })}\n`;
  for (let sent = 0; sent < 16; sent++) Promise.resolve(child.stdin.write(long)).catch(() => {});
  child.kill("SIGTERM");
  await noHookIsLeft(world);
  const said = await child.stdout.text();
  await child.exited;
  expect(child.exitCode).toBe(0);
  expect(said.endsWith("\n")).toBe(true);
  world.remove();
});

test("a signal ends an idle core too", async () => {
  const world = makeWorld();
  const core = await startCore(world);
  core.kill("SIGTERM");
  expect(await core.ended).toEqual({ code: 0, signal: null });
  world.remove();
});

test("a reader that reads nothing for long gets every line, in order and whole", async () => {
  const world = makeWorld();
  const child = Bun.spawn([tamaBinary, "run-hook", "omp", "--serve"], {
    env: world.environment,
    cwd: world.root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  // Ids of 40 KB, so that 200 answers are 8 MB and no pipe holds them.
  const ids = Array.from({ length: 200 }, (_, at) => `${at}-${"z".repeat(40_000)}`);
  const lines = ids.map((id) => `${JSON.stringify({ id, op: "cancel", dispatchId: "none" })}\n`).join("");
  child.stdin.write(lines);
  const written = child.stdin.end();
  // Nobody has read a byte: the core is either still writing or has put all it could into the pipe.
  expect(child.exitCode).toBeNull();
  const said = (await child.stdout.text()).split("\n");
  await written;
  await child.exited;
  expect(child.exitCode).toBe(0);
  expect(said.at(-1)).toBe("");
  const answers = said.slice(1, -1).map((line) => (JSON.parse(line) as { id: string }).id);
  expect(answers.length).toBe(ids.length);
  expect(answers.every((id, at) => id === ids[at])).toBe(true);
  world.remove();
});

test("while nobody reads, the core stops taking lines instead of growing", async () => {
  const world = makeWorld();
  const child = Bun.spawn([tamaBinary, "run-hook", "omp", "--serve"], {
    env: world.environment,
    cwd: world.root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const line = `${JSON.stringify({ id: "w".repeat(100_000), op: "cancel", dispatchId: "none" })}\n`;
  const total = 1000;
  const feeding = (async () => {
    for (let sent = 0; sent < total; sent++) {
      child.stdin.write(line);
      await child.stdin.flush();
    }
    await child.stdin.end();
  })();
  const memory = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(require("node:fs").readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0);
  let before = -1;
  await until("its memory rests", () => {
    const now = memory();
    const rests = now === before;
    before = now;
    return rests;
  });
  expect(before).toBeLessThan(400_000);
  const said = await child.stdout.text();
  await feeding;
  await child.exited;
  expect(said.split("\n").length).toBe(total + 2);
  world.remove();
});

test("a reader that goes away ends the core, and its hooks with it", async () => {
  const world = await worldWithEndlessHook();
  const child = Bun.spawn([tamaBinary, "run-hook", "omp", "--serve"], {
    env: world.environment,
    cwd: world.root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const reader = child.stdout.getReader();
  await reader.read();
  child.stdin.write(`${JSON.stringify({ id: "e1", op: "dispatch", event: "tool_call", payload: input })}\n`);
  await child.stdin.flush();
  await until("the hook runs", () => existsSync(`${world.root}/pid`));
  // The pipe closes a moment after the promise of it, and a core learns of it only by writing: an answer may still get out before.
  await reader.cancel();
  const ask = `${JSON.stringify({ id: "c1", op: "cancel", dispatchId: "nothing" })}\n`;
  const asked = async (): Promise<void> => {
    child.stdin.write(ask);
    await child.stdin.flush();
  };
  await until("the core has ended", async () => {
    // A core that is gone takes no more; Bun says so by throwing or by rejecting, as it comes.
    await asked().catch(() => {});
    return child.exitCode !== null || child.signalCode !== null;
  });
  expect(child.exitCode).toBe(0);
  await noHookIsLeft(world);
  world.remove();
});
