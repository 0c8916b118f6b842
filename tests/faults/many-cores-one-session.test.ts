import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type DrivenCore, startCore } from "../journeys/core-driver.ts";
import { lockIsHeld } from "../journeys/hooks-running/lock-probe.ts";
import { runs } from "../journeys/process-table.ts";
import { makeWorld, tama } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import { chance, patience, repeat, scaled, verdict } from "./fault-run.ts";

// Fault 6: sixty processes keep calls of one session at once. No update may be lost, and a killed holder's lock is free at once.

const processes = 60;
const world = makeWorld();
let cores: DrivenCore[] = [];
afterAll(async () => {
  for (const core of cores) core.kill("SIGKILL");
  await Promise.all(cores.map((core) => core.ended));
  world.remove();
});

test(
  "fault 6: sixty cores keep calls of one session at once",
  async () => {
    const random = chance("fault 6");
    const rounds = scaled(50);
    const found = { "updates lost": 0, "answers missing": 0 };
    await repeat(processes, 6, async () => {
      cores.push(await startCore(world));
    });
    for (let round = 0; round < rounds; round++) {
      const session = `shared-${round}`;
      // From the second round on one of them is killed in the middle of it; what it had not answered is nobody's loss.
      const victim = round === 0 ? null : random.oneOf(cores);
      const kill = victim === null ? null : Bun.sleep(random.whole(200)).then(() => victim.kill("SIGKILL"));
      const kept = await Promise.all(cores.map((core, at) => keepCall(core, session, `call-${at}`).catch(() => null)));
      await kill;
      const answered = kept.filter((one) => one !== null).length;
      found["answers missing"] +=
        processes - answered - (victim !== null && kept[cores.indexOf(victim)] === null ? 1 : 0);
      const record = JSON.parse((await tama(world, ["calls", "failed", "--session", session])).stdout);
      const texts = JSON.stringify(record);
      for (const [at, one] of kept.entries())
        if (one !== null && !texts.includes(`call-${at} has failed`)) found["updates lost"]++;
      if (victim !== null) {
        await victim.ended;
        cores = [...cores.filter((core) => core !== victim), await startCore(world)];
      }
    }
    verdict(6, rounds, `${processes} processes keeping calls of one session`, found);
    expect(found).toEqual({ "updates lost": 0, "answers missing": 0 });
  },
  patience,
);

test(
  "fault 6: the lock of a killed holder is free at once",
  async () => {
    const folder = join(world.home, "failed-calls");
    mkdirSync(folder, { recursive: true });
    const lock = join(folder, "held.json.lock");
    const waits: number[] = [];
    const count = scaled(200);
    const core = await startCore(world);
    for (let round = 0; round < count; round++) {
      const holder = Bun.spawn(["flock", "--no-fork", lock, "sleep", "600"], { env: {} });
      await until("the lock held", () => lockIsHeld(lock));
      const answer = keepCall(core, "held", `call-${round}`);
      await Bun.sleep(5);
      holder.kill("SIGKILL");
      const from = performance.now();
      await until("the holder gone", () => !runs(holder.pid));
      await answer;
      waits.push(performance.now() - from);
    }
    await core.close();
    const sorted = waits.sort((a, b) => a - b);
    console.log(
      `fault 6: the killed holder's lock was taken after ${sorted[count >> 1]?.toFixed(1)} ms (median), ${sorted.at(-1)?.toFixed(1)} ms (most)`,
    );
    verdict(6, count, "kill -9 of a lock's holder", {
      "locks not free within a second": waits.filter((ms) => ms > 1000).length,
    });
    expect(waits.filter((ms) => ms > 1000)).toEqual([]);
  },
  patience,
);

/** A look that fails: one that could have changed something would rightly let the others' records go. */
async function keepCall(core: DrivenCore, session: string, name: string): Promise<true> {
  const call = {
    session,
    tool: "bash",
    kind: "shell",
    input: { command: `cat ./${name}` },
    cwd: world.root,
    call: name,
  };
  const admitted = await core.dispatch("tool_call", call);
  if (admitted["verdict"] !== "pass") throw new Error(`not admitted: ${JSON.stringify(admitted)}`);
  const taken = await core.dispatch("tool_result", { ...call, isError: true, text: `${name} has failed` });
  if (taken["ok"] !== true) throw new Error(`result not taken: ${JSON.stringify(taken)}`);
  return true;
}
