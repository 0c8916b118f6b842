import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCore } from "../journeys/core-driver.ts";
import { lockIsHeld } from "../journeys/hooks-running/lock-probe.ts";
import { lookAt, runs } from "../journeys/process-table.ts";
import { makeWorld, tama, type World } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import { type Chance, chance, patience, scaled, verdict } from "./fault-run.ts";

// Fault 4: the number in a birth record belongs to an innocent process by now, which even leads a group of that number. Beside it a real
// survivor of the same birth, so that there is something to end. (Judge-channel records have their own test beside the judge.)

const perRound = 25;

test(
  "fault 4: who only has a recorded number is never signalled",
  async () => {
    const random = chance("fault 4");
    const rounds = scaled(500 / perRound);
    const found = { "innocent processes signalled": 0, "survivors left": 0, "records left": 0 };
    for (let round = 0; round < rounds; round++) {
      const world = makeWorld();
      mkdirSync(join(world.home, "in-flight"), { recursive: true, mode: 0o700 });
      const pairs = Array.from({ length: perRound }, (_one, at) => plant(world, `${round}-${at}`, random));
      await until("every record held", () => pairs.every(({ held }) => held === null || lockIsHeld(held)));
      if (round % 2 === 0) {
        const ended = await tama(world, ["hooks", "running", "--end-orphans", "--json"]);
        expect(JSON.parse(ended.stdout).errors).toEqual([]);
      } else {
        // The sweep of a core that starts takes the same way.
        const core = await startCore(world);
        await until("the sweep done", () => pairs.every(({ survivor }) => !runs(survivor.pid)));
        await core.request("hooks/end-orphans");
        await core.close();
      }
      for (const { innocent, start, survivor } of pairs) {
        if (!runs(innocent.pid) || lookAt(innocent.pid)?.startTicks !== start) found["innocent processes signalled"]++;
        if (runs(survivor.pid)) found["survivors left"]++;
        innocent.kill("SIGKILL");
        survivor.kill("SIGKILL");
      }
      found["records left"] += readdirSync(join(world.home, "in-flight")).length;
      world.remove();
    }
    verdict(4, rounds * perRound, "a recycled number in a birth record", found);
    expect(found).toEqual({ "innocent processes signalled": 0, "survivors left": 0, "records left": 0 });
  },
  patience,
);

interface Planted {
  readonly innocent: Bun.Subprocess;
  readonly start: string;
  readonly survivor: Bun.Subprocess;
  /** The record, where the survivor holds its lock; null where only its tag tells it. */
  readonly held: string | null;
}

function plant(world: World, name: string, random: Chance): Planted {
  const innocent = Bun.spawn(["sleep", "600"], { env: {}, detached: true, stdio: ["ignore", "ignore", "ignore"] });
  const start = lookAt(innocent.pid)?.startTicks ?? "";
  const birth = new Bun.CryptoHasher("md5").update(`${name}-${random.seed}`).digest("hex");
  const record = join(world.home, "in-flight", `${birth}.json`);
  const notTheirs = startHere(Number(start) + random.oneOf([-1, 1, -100_000]));
  const line = {
    hookBirthIdentity: birth,
    pid: innocent.pid,
    pgid: innocent.pid,
    start: notTheirs,
    core: { pid: innocent.pid, start: notTheirs },
  };
  const assignment = { hook: "h", command: "h", session: null, dispatch: "d", at: "2026-01-01T00:00:00.000Z" };
  writeFileSync(record, `${JSON.stringify(line)}\n${JSON.stringify(assignment)}\n`);
  const holds = random.whole(2) === 0;
  const command = holds ? ["flock", "--no-fork", record, "sleep", "600"] : ["sleep", "600"];
  const survivor = Bun.spawn(command, {
    env: holds ? {} : { TAMA_BIRTH: birth },
    detached: true,
    stdio: ["ignore", "ignore", "ignore"],
  });
  return { innocent, start, survivor, held: holds ? record : null };
}

function startHere(ticks: number): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
  return `${ticks}@${boot}/${/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0]}`;
}
