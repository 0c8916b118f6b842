import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { processesWith, runs } from "../process-table.ts";
import { makeWorld, type World } from "../tama-command.ts";
import { until } from "../until.ts";
import { type StartedWait, startWait } from "./started-wait.ts";

// However a wait ends, the command it runs ends with it, hanging or busy, and with all that it started.

let world: World = makeWorld();
const started: StartedWait[] = [];
afterEach(() => {
  const left = processesWith(world.root);
  for (const one of left) process.kill(one.pid, "SIGKILL");
  world.remove();
  world = makeWorld();
  started.length = 0;
  expect(left).toEqual([]);
});

/** A process that writes its pid to a file of the world and then does `work` for ever, deaf to every signal but SIGKILL. */
function stays(name: string, work: string): string {
  const file = join(world.root, name);
  return `sh -c 'trap "" TERM INT HUP; echo $$ > ${file}.new; mv ${file}.new ${file}; ${work}'`;
}

const forEver = "while :; do sleep 600; done";
const busy = "while :; do :; done";

async function pidIn(name: string): Promise<number> {
  const file = join(world.root, name);
  return Number(await until(name, () => existsSync(file) && readFileSync(file, "utf8").trim()));
}

async function allGone(pids: readonly number[]): Promise<void> {
  await until(`the end of ${pids.join(", ")}`, () => !pids.some(runs));
  await until("nothing left", () => processesWith(world.root).length === 0);
}

async function waitOn(body: string, names: readonly string[]): Promise<{ wait: StartedWait; pids: readonly number[] }> {
  const wait = startWait(world, ["--", world.script("command.sh", body)]);
  const pids = await Promise.all(names.map(pidIn));
  return { wait, pids };
}

describe("a signal", () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    test(`${signal} ends the wait and the command, with the exit code of a shell`, async () => {
      const { wait, pids } = await waitOn(`${stays("child", forEver)} &\n${stays("main", forEver)}`, ["child", "main"]);
      wait.kill(signal);
      expect(await wait.ended).toEqual({ code, signal: null, stdout: "", stderr: "" });
      expect(pids.filter(runs)).toEqual([]);
    });

  test("ends also what left the command's group", async () => {
    const { wait, pids } = await waitOn(`setsid ${stays("away", forEver)} &\n${stays("main", forEver)}`, [
      "away",
      "main",
    ]);
    wait.kill("SIGTERM");
    expect((await wait.ended).code).toBe(143);
    expect(pids.filter(runs)).toEqual([]);
  });

  test("between two runs ends the wait at once", async () => {
    const wait = startWait(world, ["--every", "1h", "--", world.script("quick.sh", `echo x > ${world.root}/ran`)]);
    await pidIn("ran");
    await until("the end of the run", () => processesWith(join(world.root, "quick.sh")).length === 1);
    wait.kill("SIGINT");
    expect((await wait.ended).code).toBe(130);
  });
});

describe("kill -9 of the wait", () => {
  for (const [what, work] of [
    ["hangs", forEver],
    ["is busy", busy],
  ] as const)
    test(`ends a command that ${what}, and what it started`, async () => {
      const { wait, pids } = await waitOn(`${stays("child", work)} &\n${stays("main", work)}`, ["child", "main"]);
      wait.kill("SIGKILL");
      expect((await wait.ended).signal).toBe("SIGKILL");
      await allGone(pids);
    });

  test("leaves nothing at whatever moment of many short runs it comes", async () => {
    for (let round = 0; round < 25; round++) {
      const mark = world.script(
        `round-${round}.sh`,
        `sleep 0.01 & sleep 600 & echo ${"$"}$ >> ${world.root}/round-${round}`,
      );
      const wait = startWait(world, ["--every", "1ms", "--", mark]);
      await until(
        "a few runs",
        () => existsSync(`${world.root}/round-${round}`) && round % 5 < linesOf(`round-${round}`),
      );
      wait.kill("SIGKILL");
      await wait.ended;
      await until("nothing left", () => processesWith(world.root).length === 0);
    }
  });
});

function linesOf(name: string): number {
  return readFileSync(join(world.root, name), "utf8").split("\n").length - 1;
}

describe("what started the wait", () => {
  test("takes the wait along when it is killed", async () => {
    const script = world.script("command.sh", stays("main", forEver));
    const wait = startWait(world, ["--", script], ["sh", "-c", '"$@"; exit $?', "shell"]);
    const main = await pidIn("main");
    wait.kill("SIGKILL");
    await allGone([main]);
  });

  test("takes it along also when the shell between the two lives on", async () => {
    const script = world.script("command.sh", stays("main", forEver));
    const harness = world.write(
      "harness.ts",
      "await Bun.spawn(process.argv.slice(2), { detached: true, stdio: ['ignore', 'ignore', 'ignore'] }).exited;",
    );
    const under = [process.execPath, harness, "sh", "-c", '"$@"; exit $?', "shell"];
    const wait = startWait(world, ["--", script], under);
    const main = await pidIn("main");
    wait.kill("SIGKILL");
    await allGone([main]);
  });
});

describe("a run that has ended", () => {
  test("leaves nothing behind, in its group or out of it, and is not held by it", async () => {
    const body = `${stays("inside", forEver)} &\nsetsid ${stays("outside", forEver)} &\nuntil [ -e inside ] && [ -e outside ]; do sleep 0.01; done\necho answered`;
    const wait = startWait(world, ["--every", "1h", "--", world.script("command.sh", body)]);
    const pids = await Promise.all(["inside", "outside"].map(pidIn));
    await until("the end of the run's own", () => !pids.some(runs));
    wait.kill("SIGTERM");
    expect((await wait.ended).code).toBe(143);
  });
});
