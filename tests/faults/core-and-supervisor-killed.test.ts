import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startCore } from "../journeys/core-driver.ts";
import { processesWith, runs } from "../journeys/process-table.ts";
import { tama, type World } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import { chance, patience, repeat, scaled, verdict } from "./fault-run.ts";
import { makeTemplate } from "./template.ts";

// Fault 2: core and supervisors die at once, and the hooks did what they could to get away before: they closed the channel, the record,
// left the group. What then lives must be named, and ended on demand.

const template = await makeTemplate((world) => {
  const ready = (name: string): string => `: > "$TAMA_HOME/${name}"`;
  const scripts = {
    "closes-channel": `exec 3>&-; sleep 600 & ${ready("a")}; sleep 600`,
    "closes-all": `exec 3>&- 4>&-; sleep 600 & ${ready("b")}; sleep 600`,
    "leaves-group": `setsid sh -c 'exec 3>&- 4>&-; exec sleep 600' & ${ready("c")}; sleep 600`,
    "drops-environment": `exec 3>&-; setsid env -i sleep 600 & ${ready("d")}; sleep 600`,
  };
  return Object.entries(scripts).map(([id, body]) => ({ id, command: [world.script(`${id}.sh`, body)] }));
});
afterAll(() => template.world.remove());

test(
  "fault 2: what survives core and supervisor together is named, and ended on demand",
  async () => {
    const random = chance("fault 2");
    const count = scaled(300);
    const found = { "survivors not named": 0, "left by --end-orphans": 0, errors: 0 };
    let survivors = 0;
    await repeat(count, 3, async () => {
      const world = template.copy();
      const core = await startCore(world);
      core.begin("tool_call", { tool: "bash", input: { command: "make" } });
      await until("every hook ready", () => ["a", "b", "c", "d"].every((name) => existsSync(join(world.home, name))));
      const supervisors = supervisorsIn(world);
      // The supervisors first, the core first, or in between: each order closes other descriptors last.
      const victims = [...supervisors];
      victims.splice(random.whole(victims.length + 1), 0, core.pid);
      process.kill(core.pid, "SIGSTOP");
      for (const pid of victims) process.kill(pid, "SIGKILL");
      await core.ended;
      await until("all of them gone", () => !victims.some(runs));
      const before = processesWith(world.root).map((one) => one.pid);
      const seen = JSON.parse((await tama(world, ["hooks", "running", "--json"])).stdout);
      const named = new Set(
        seen.hooks.flatMap((hook: { descendants: { pid: number }[] }) => hook.descendants.map((one) => one.pid)),
      );
      const living = before.filter(runs);
      survivors += living.length;
      found["survivors not named"] += living.filter((pid) => !named.has(pid)).length;
      const ended = JSON.parse((await tama(world, ["hooks", "running", "--end-orphans", "--json"])).stdout);
      found.errors += seen.errors.length + ended.errors.length;
      found["left by --end-orphans"] += processesWith(world.root).length;
      for (const one of processesWith(world.root)) process.kill(one.pid, "SIGKILL");
      world.remove();
    });
    console.log(`fault 2: ${survivors} processes survived the two kills`);
    verdict(2, count, "kill -9 of core and supervisors together", found);
    expect(survivors).toBeGreaterThan(0);
    expect(found).toEqual({ "survivors not named": 0, "left by --end-orphans": 0, errors: 0 });
  },
  patience,
);

function supervisorsIn(world: World): readonly number[] {
  const folder = join(world.home, "in-flight");
  // A name with a dot before it is a record still being made: its supervisor dies of the core's death.
  const born = readdirSync(folder).filter((name) => !name.startsWith("."));
  return born.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8").split("\n")[0] ?? "").pid as number);
}
