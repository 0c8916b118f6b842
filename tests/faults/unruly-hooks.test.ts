import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type DrivenCore, startCore } from "../journeys/core-driver.ts";
import { commandOf, openFilesOf, processesWith, residentKb, zombiesOf } from "../journeys/process-table.ts";
import { declareHook, makeWorld, type World } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import { chance, patience, scaled, verdict } from "./fault-run.ts";

// Fault 3: hooks that will not end, each kind in one core; half of the dispatches are cancelled at a random moment, those that never end all.

interface Kind {
  readonly body: string;
  readonly endsItself?: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
  "ignores TERM": { body: "trap '' TERM INT HUP QUIT; sleep 600 & while :; do wait; done" },
  "busy-loops": { body: "while :; do :; done" },
  "stops itself": { body: "kill -STOP $$" },
  "forks and exits": { body: "sleep 600 & (sleep 600 &) ; exit 0", endsItself: true },
  "floods stdout with 1 GB": { body: "exec head -c 1000000000 /dev/zero", endsItself: true },
  "closes its channel": { body: "exec 3>&- 4>&-; sleep 600 & sleep 600" },
  "leaves by setsid": { body: "setsid sleep 600 & setsid env -i sleep 600 & sleep 600" },
};

const worlds: { remove: () => void }[] = [];
afterAll(() => {
  for (const world of worlds) world.remove();
});

describe("fault 3:", () => {
  for (const [name, kind] of Object.entries(kinds)) {
    test(
      `a hook that ${name}`,
      async () => {
        const random = chance(`fault 3, ${name}`);
        const world = makeWorld();
        worlds.push(world);
        await declareHook(world, { id: "unruly", command: [world.script("unruly.sh", kind.body)] });
        const core = await startCore(world);
        const count = scaled(200);
        const found = { "processes left": 0, "wrong answers": 0, "zombies left": 0, "records left": 0 };
        let most = 0;
        for (let round = 0; round < count; round++) {
          found["wrong answers"] += (await oneDispatch(core, kind, random.whole(2) === 0, random.whole(60))) ? 0 : 1;
          const left = leftOvers(world, core);
          if (left.length > 0) console.log(`fault 3: left: ${left.join("; ")}`);
          found["processes left"] += left.length;
          most = Math.max(most, residentKb(core.pid));
        }
        found["zombies left"] = await until("no zombie", () => (zombiesOf(core.pid) === 0 ? "none" : null), 2000).then(
          () => 0,
          () => zombiesOf(core.pid),
        );
        const files = openFilesOf(core.pid);
        const end = await core.close();
        found["records left"] = readdirSync(join(world.home, "in-flight")).length;
        console.log(
          `fault 3: ${name}: the core had at most ${Math.round(most / 1024)} MB, at the end ${files} open files`,
        );
        verdict(3, count, `a hook that ${name}`, found);
        expect(end).toEqual({ code: 0, signal: null });
        expect(most).toBeLessThan(150_000);
        expect(files).toBeLessThan(60);
        expect(found).toEqual({ "processes left": 0, "wrong answers": 0, "zombies left": 0, "records left": 0 });
      },
      patience,
    );
  }
});

async function oneDispatch(core: DrivenCore, kind: Kind, cancels: boolean, after: number): Promise<boolean> {
  const dispatch = core.begin("tool_call", { tool: "bash", input: { command: "make" } });
  const cancelled = cancels || kind.endsItself !== true;
  if (cancelled) {
    await Bun.sleep(after);
    await core.cancel(dispatch);
  }
  const answer = await core.answer(dispatch);
  if (answer["ok"] === false) return cancelled && answer["cancelled"] === true;
  return (
    kind.endsItself === true &&
    (kind.body.includes("exit 0") ? answer["verdict"] === "pass" : answer["infrastructure"] === true)
  );
}

/** Idle supervisors belong to the core; one that is just being started still looks like the core itself. */
function leftOvers(world: World, core: DrivenCore): readonly string[] {
  return processesWith(world.root)
    .filter((one) => one.pid !== core.pid)
    .map((one) => `${one.state} ${commandOf(one.pid)}`)
    .filter((left) => !left.includes(" owned-hook ") && !left.includes(" run-hook "));
}
