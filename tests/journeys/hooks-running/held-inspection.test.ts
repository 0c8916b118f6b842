import { afterEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCore } from "../core-driver.ts";
import { runs } from "../process-table.ts";
import { tama, type World } from "../tama-command.ts";
import { until } from "../until.ts";
import { holdLock } from "./lock-probe.ts";
import { birthOf, endWorlds, newWorld, startHere } from "./owned-worlds.ts";

afterEach(endWorlds);

/** An inspection whose process was stopped holds its lock for as long as it likes; only who asked to see everything may wait for it. */
function worldUnderInspection(): { readonly world: World; readonly record: string; readonly release: () => void } {
  const world = newWorld();
  const record = join(world.home, "in-flight", "left.json");
  // Numbers that nobody has: a dead core's, left by a supervisor that is gone.
  const birth = { ...birthOf(2 ** 22 - 3, startHere(1)), core: { pid: 2 ** 22 - 2, start: startHere(2) } };
  writeFileSync(record, `${JSON.stringify(birth)}\n`);
  return { world, record, release: holdLock(join(world.home, "ownership-inspection.lock")) };
}

test("a one-shot event is answered, and its process ends, while another inspection is under way", async () => {
  const { world, record, release } = worldUnderInspection();
  const event = { session_id: "s", hook_event_name: "UserPromptSubmit", prompt: "go on", cwd: world.root };
  const ended = await tama(world, ["run-hook", "claude-code"], { stdin: JSON.stringify(event) });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(record)).toBe(true);
  release();
});

test("a core ends at its input's end while another inspection is under way, and looks again once that is over", async () => {
  const { world, record, release } = worldUnderInspection();
  const first = await startCore(world);
  const second = await startCore(world);
  // The first has certainly looked once its first looks are over; it must not be found waiting.
  const since = performance.now();
  await until("the time of several looks", () => performance.now() - since > 400);
  expect(await first.close()).toEqual({ code: 0, signal: null });
  expect(runs(first.pid)).toBe(false);
  expect(existsSync(record)).toBe(true);
  release();
  await until("what was left is swept", () => !existsSync(record));
  expect(await second.close()).toEqual({ code: 0, signal: null });
});
