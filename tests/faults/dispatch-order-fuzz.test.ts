import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { startCore } from "../journeys/core-driver.ts";
import { declareHook, makeWorld, tama, type World } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import { type Seeded, scaled, seeded } from "./seeded.ts";

/** Fault 10: dispatches, cancels and the end of input in every order. Each dispatch gets exactly one answer, and no child is left. */
const full = 10_000;

test("dispatch, cancel and end of input in any order: one answer a dispatch, no child left", async () => {
  const chance = seeded();
  const rounds = scaled(full);
  console.log(`dispatch order fuzz: ${rounds} rounds, seed ${chance.seed} (TAMA_TEST_SEED plays it again)`);
  const world = makeWorld();
  const hook = `case "$(cat)" in *long*) (sleep 600 & sleep 600);; *brief*) sleep 0.02;; *refuse*) echo no >&2; exit 2;; esac`;
  await declareHook(world, { id: "fuzzed", command: [world.script("fuzzed", hook)] });
  for (let round = 0; round < rounds; round++) await playRound(world, chance, round);
  await until("every process of this world is gone", () => processesOf(world).length === 0, 30_000);
  const running = await tama(world, ["hooks", "running", "--json"]);
  expect(JSON.parse(running.stdout)).toMatchObject({ hooks: [], errors: [] });
  world.remove();
}, 3_600_000);

async function playRound(world: World, chance: Seeded, round: number): Promise<void> {
  const core = await startCore(world);
  const dispatched: string[] = [];
  const frames: string[] = [];
  for (let step = 1 + chance.below(6); step > 0; step--) {
    if (dispatched.length > 0 && chance.chance(0.4)) {
      frames.push(JSON.stringify({ id: `c${step}`, op: "cancel", dispatchId: chance.pick(dispatched) }));
      continue;
    }
    const id = chance.chance(0.1) && dispatched.length > 0 ? chance.pick(dispatched) : `${dispatched.length}`;
    const command = `${chance.pick(["long", "long", "brief", "quick", "refuse"])} ${chance.below(3)}`;
    const payload = { session: chance.chance(0.5) ? `s${round}` : null, tool: "bash", input: { command } };
    frames.push(JSON.stringify({ id, op: "dispatch", event: "tool_call", payload }));
    dispatched.push(id);
  }
  // In one write, or in pieces that may end inside a line.
  const text = frames.map((frame) => `${frame}\n`).join("");
  const cut = chance.chance(0.5) ? text.length : chance.below(text.length);
  core.sendBytes(text.slice(0, cut));
  if (cut < text.length) {
    if (chance.chance(0.5)) await Bun.sleep(chance.below(15));
    core.sendBytes(text.slice(cut));
  }
  if (chance.chance(0.3)) await Bun.sleep(chance.below(30));
  const stopped = chance.chance(0.2);
  if (stopped) core.kill("SIGTERM");
  else core.closeInput();
  expect([round, await core.ended]).toEqual([round, { code: 0, signal: null }]);
  const sent = frames.map((frame) => (JSON.parse(frame) as { id: string }).id);
  const answers = core.frames.filter((frame) => frame["op"] === undefined);
  // Every line was answered once: under its own id, or as a duplicate of the one that still ran. A stop may leave the last lines unread.
  for (const id of new Set(sent)) {
    const own = answers.filter((frame) => (frame["id"] ?? frame["duplicateOf"]) === id);
    const wanted = sent.filter((one) => one === id).length;
    if (stopped) expect([round, id, own.length <= wanted]).toEqual([round, id, true]);
    else expect([round, id, own.length]).toEqual([round, id, wanted]);
  }
  expect([round, core.stderr()]).toEqual([round, ""]);
}

/** Processes that carry this world's home in their environment, from /proc: hooks, their children, supervisors. */
function processesOf(world: World): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(`TAMA_HOME=${world.home}\0`));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
