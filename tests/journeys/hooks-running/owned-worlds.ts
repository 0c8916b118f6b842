import { existsSync, mkdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type DrivenCore, startCore } from "../core-driver.ts";
import { commandOf, processesWith } from "../process-table.ts";
import { declareHook, makeWorld, tama, type World } from "../tama-command.ts";
import { until } from "../until.ts";
import { assignedRecords } from "./held-hook.ts";

// What the journeys of owners and orphans share: worlds that clean up after themselves, a core with one waiting hook, records by hand.

let worlds: World[] = [];
/** For a file's afterEach: whatever a failed test left running would meet the next one. */
export function endWorlds(): void {
  for (const world of worlds) {
    for (const one of processesWith(world.root)) process.kill(one.pid, "SIGKILL");
    world.remove();
  }
  worlds = [];
}

export function newWorld(): World {
  const world = makeWorld();
  worlds.push(world);
  mkdirSync(join(world.home, "in-flight"), { recursive: true, mode: 0o700 });
  return world;
}

export interface Running {
  readonly hooks: readonly Record<string, unknown>[];
  readonly errors: readonly string[];
}

export async function running(world: World): Promise<Running & { readonly code: number | null }> {
  const ended = await tama(world, ["hooks", "running", "--json"]);
  return { code: ended.code, ...(JSON.parse(ended.stdout) as Running) };
}

/** Starts a core whose one hook writes its pid to `<root>/hook.pid` and then runs `body`. */
export async function coreWithHook(
  world: World,
  body: string,
): Promise<{ core: DrivenCore; dispatch: string; pid: number }> {
  const script = world.script(
    "waiting-hook.sh",
    `echo $$ > ${world.root}/hook.pid.new; mv ${world.root}/hook.pid.new ${world.root}/hook.pid\n${body}`,
  );
  await declareHook(world, { id: "waiting-hook", command: [script] });
  const core = await startCore(world);
  const dispatch = core.begin("tool_call", {
    session: "s/1",
    tool: "bash",
    input: { command: "make" },
    cwd: world.root,
  });
  const pid = await until("the hook running", () => pidIn(world, "hook.pid"));
  return { core, dispatch, pid };
}

export function pidIn(world: World, name: string): number | null {
  const path = join(world.root, name);
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : null;
}

export function pidsIn(descendants: unknown): readonly number[] {
  return (descendants as { pid: number }[]).map((one) => one.pid).sort();
}

export function birthOf(pid: number, start: string): object {
  return { hookBirthIdentity: "f".repeat(32), pid, pgid: pid, start, core: { pid: 4194302, start: "1@0/0" } };
}

/** A start of this boot and this pid namespace, as records name it; of another one nothing could be told. */
export function startHere(ticks: number): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
  return `${ticks}@${boot}/${/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0]}`;
}

export function onlyRecord(world: World): readonly string[] | null {
  const names = Object.keys(assignedRecords(world));
  return names.length === 1 ? names : null;
}

export function sleepersOf(world: World): readonly number[] | null {
  const found = processesWith(world.root).filter((one) => /^sleep 60[01]$/.test(commandOf(one.pid)));
  return found.length === 2 ? found.map((one) => one.pid) : null;
}

/** A living core beside the orphans; it is told to look only after the test has, so its own sweep must not come first. */
export async function startCoreWithoutSweep(world: World): Promise<DrivenCore> {
  const other = makeWorld();
  worlds.push(other);
  return await startCore({ ...other, home: world.home });
}
