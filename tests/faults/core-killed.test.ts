import { afterAll, expect, test } from "bun:test";
import { startCore } from "../journeys/core-driver.ts";
import { processesWith } from "../journeys/process-table.ts";
import { tama, type World } from "../journeys/tama-command.ts";
import { chance, patience, repeat, scaled, verdict } from "./fault-run.ts";
import { makeTemplate } from "./template.ts";

// Fault 1: the core is killed at a random moment while eight hooks start or run, each with a background child.

const template = await makeTemplate((world) => {
  const script = world.script("with-child.sh", "sleep 600 &\nsleep 600");
  return Array.from({ length: 8 }, (_one, at) => ({ id: `hook-${at}`, command: [script] }));
});
afterAll(() => template.world.remove());

test(
  "fault 1: a core killed while hooks start or run leaves no process and no unreadable record",
  async () => {
    const random = chance("fault 1");
    const count = scaled(1000);
    const found = { "living hook processes": 0, "unreadable records": 0 };
    let before = 0;
    let running = 0;
    await repeat(count, 3, async () => {
      const world = template.copy();
      const core = await startCore(world);
      // Half of them against a pool that is warm already, so that hooks start at once.
      if (random.whole(2) === 0) {
        const cancelled = core.begin("tool_call", call);
        await core.cancel(cancelled);
        await core.answer(cancelled);
      }
      core.begin("tool_call", call);
      await Bun.sleep(random.whole(401));
      const sleepers = processesWith(world.root).length;
      core.kill("SIGKILL");
      await core.ended;
      if (sleepers > 20) running++;
      else before++;
      found["living hook processes"] += await livingAfterOneSecond(world);
      const inspected = await tama(world, ["hooks", "running", "--json"]);
      const { hooks, errors } = JSON.parse(inspected.stdout);
      found["unreadable records"] += errors.length;
      found["living hook processes"] += hooks.length;
      for (const one of processesWith(world.root)) process.kill(one.pid, "SIGKILL");
      world.remove();
    });
    console.log(`fault 1: killed ${before} times while hooks started, ${running} times while all of them ran`);
    verdict(1, count, "kill -9 of the core at 0-400 ms under 8 hooks with a child each", found);
    expect(found).toEqual({ "living hook processes": 0, "unreadable records": 0 });
  },
  patience,
);

const call = { tool: "bash", input: { command: "make" } };

async function livingAfterOneSecond(world: World): Promise<number> {
  const until = performance.now() + 1000;
  while (performance.now() < until) {
    if (processesWith(world.root).length === 0) return 0;
    await Bun.sleep(5);
  }
  return processesWith(world.root).length;
}
