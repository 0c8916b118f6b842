import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorld } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import { birthsIn, callOf, declare, fiveGates, type Ground, makeBed, warm } from "./ground.ts";
import { startCore } from "./served-core.ts";

/**
 * A figure counts only with every fence on, so the bench looks itself, in the same binary it measures: each hook in a process of its own
 * that leads its own group and is used once, its birth record locked and synced before anything runs, the registry read for each call.
 * Throws with the fence that is down; gives what it saw.
 */
export async function fencesOn(ground: Ground): Promise<string> {
  const seen = [await ownProcesses(ground), await assignmentOnTheRecord(ground), await syncedBirths(ground)];
  return seen.join("; ");
}

async function ownProcesses(ground: Ground): Promise<string> {
  const bed = await makeBed(ground, () => fiveGates);
  const { world, core } = bed;
  try {
    await core.dispatch("tool_call", callOf({ session: "s", number: 1, cwd: world.root }).call);
    await warm(world, 5);
    const before = birthsIn(world).filter((birth) => birth.lines.length === 0);
    for (const birth of before) {
      if (!birth.held) throw new Error(`fence down: the birth record of process ${birth.pid} is not locked`);
      if (birth.pgid !== birth.pid || groupOf(birth.pid) !== birth.pid)
        throw new Error(`fence down: process ${birth.pid} does not lead its own group`);
    }
    if (new Set(before.map((birth) => birth.pid)).size < 5) throw new Error("fence down: fewer processes than hooks");
    const answer = await core.dispatch("tool_call", callOf({ session: "s", number: 2, cwd: world.root }).call);
    const used = (): number => before.filter((birth) => !existsSync(`/proc/${birth.pid}`)).length;
    await until("five supervisors used up by five hooks", () => used() >= 5);
    if (hooksIn(answer) !== 5) throw new Error(`fence down: ${hooksIn(answer)} of 5 hooks answered`);
    declare(world, fiveGates.slice(0, 2));
    const fewer = await core.dispatch("tool_call", callOf({ session: "s", number: 3, cwd: world.root }).call);
    if (hooksIn(fewer) !== 2) throw new Error("fence down: the registry is not read for each call");
    return "each hook in its own locked process, used once; registry read for each call";
  } finally {
    await bed.close();
  }
}

/** A command hook stays long enough to be seen: its assignment stands in the locked record while it runs. */
async function assignmentOnTheRecord(ground: Ground): Promise<string> {
  const bed = await makeBed(ground, (world) => [
    { id: "bench-waiting", program: { command: [world.script("waiting.sh", "echo here >&2\nexec sleep 600")] } },
  ]);
  const { world, core } = bed;
  try {
    const said = Promise.withResolvers<void>();
    core.onProgress(() => said.resolve());
    const running = core.begin("tool_call", callOf({ session: "s", number: 1, cwd: world.root }).call);
    await said.promise;
    const record = birthsIn(world).find((birth) => birth.lines.some((line) => line.includes("bench-waiting")));
    if (record?.held !== true) throw new Error("fence down: a running hook has no locked record that names it");
    await core.ask({ op: "cancel", dispatchId: running.id });
    await running.answer;
    return "a running hook named in its locked record";
  } finally {
    await bed.close();
  }
}

/** Order of the system calls of one birth: file synced, renamed into place, folder synced, and only then the supervisor speaks. */
async function syncedBirths(ground: Ground): Promise<string> {
  const strace = Bun.which("strace");
  if (strace === null) return "syncing not looked at (no strace here)";
  const world = makeWorld();
  try {
    declare(world, fiveGates.slice(0, 1));
    const trace = join(world.root, "trace");
    const core = await startCore({
      binary: ground.binary,
      cwd: world.root,
      environment: world.environment,
      under: [strace, "-f", "-qq", "-y", "-e", "trace=fsync,rename,renameat2,write", "-o", trace],
    });
    await core.dispatch("tool_call", callOf({ session: "s", number: 1, cwd: world.root }).call);
    await core.close();
    const calls = readFileSync(trace, "utf8")
      .split("\n")
      .filter((line) => line.includes("in-flight") || line.includes('"born'));
    const [first = ""] = calls.filter((line) => /rename\w*\(/.test(line));
    const pid = first.split(" ")[0] ?? "";
    const own = calls.filter((line) => line.startsWith(`${pid} `) && !/^\d+\s+write/.test(line)).slice(0, 3);
    const order = own
      .map((line) => /^\d+\s+(\w+)\(/.exec(line)?.[1]?.replace(/renameat2?$/, "rename") ?? "?")
      .join(" ");
    if (order !== "fsync rename fsync")
      throw new Error(`fence down: a birth was kept by "${order}", not fsync rename fsync`);
    return "a birth synced, renamed, its folder synced";
  } finally {
    world.remove();
  }
}

function hooksIn(answer: Readonly<Record<string, unknown>>): number {
  return Array.isArray(answer["hooks"]) ? answer["hooks"].length : 0;
}

function groupOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
}
