import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./figures.ts";
import { callOf, fiveGates, type Ground, makeBed } from "./ground.ts";

/** Many dispatches in one core: its memory after the first thousand beside its memory at the end, and what it leaves lying. */
export async function longLife(ground: Ground): Promise<readonly Row[]> {
  const bed = await makeBed(ground, () => fiveGates.slice(0, 1));
  const { world, core } = bed;
  const first = Math.min(1000, Math.ceil(ground.dispatches / 2));
  let number = 0;
  const dispatchTo = async (count: number): Promise<void> => {
    while (number < count) {
      const { call, result } = callOf({ session: "s", number: ++number, cwd: world.root });
      await core.dispatch("tool_call", call);
      await core.dispatch("tool_result", result);
    }
  };
  try {
    await dispatchTo(first);
    const before = stateOf(core.pid, world.home);
    await dispatchTo(ground.dispatches);
    const after = stateOf(core.pid, world.home);
    const grown = (what: keyof State): number => after[what] - before[what];
    return [
      {
        name: `${ground.dispatches} dispatches in one core`,
        unit: "MB",
        p50: after.megabytes,
        p99: after.peakMegabytes,
        floor: before.megabytes,
        beside: `its memory after the first ${first} (p50 is the end, p99 the peak)`,
        ratio: after.megabytes / before.megabytes,
        goals: [
          { says: "memory ≤ 1.1×", most: 1.1, reached: after.megabytes / before.megabytes, unit: "×" },
          { says: "open files +0", most: 0, reached: grown("openFiles"), unit: "" },
          { says: "zombies +0", most: 0, reached: grown("zombies"), unit: "" },
          { says: "records in flight +0", most: 0, reached: grown("records"), unit: "" },
        ],
        note: `open files ${after.openFiles}, zombies ${after.zombies}, records in flight ${after.records}`,
      },
    ];
  } finally {
    await bed.close();
  }
}

interface State {
  readonly megabytes: number;
  readonly peakMegabytes: number;
  readonly openFiles: number;
  readonly zombies: number;
  readonly records: number;
}

/** What is private to the core counts: its text is shared with every supervisor. The least of several looks, since a dispatch may just be ending. */
function stateOf(pid: number, home: string): State {
  const looks = Array.from({ length: 20 }, () => {
    Bun.sleepSync(10);
    return lookAt(pid, home);
  });
  const least = (what: keyof State): number => Math.min(...looks.map((look) => look[what]));
  return {
    megabytes: least("megabytes"),
    peakMegabytes: least("peakMegabytes"),
    openFiles: least("openFiles"),
    zombies: least("zombies"),
    records: least("records"),
  };
}

function lookAt(pid: number, home: string): State {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? "NaN");
  return {
    megabytes: kilobytes("RssAnon") / 1024,
    peakMegabytes: kilobytes("VmHWM") / 1024,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    zombies: childrenOf(pid).filter(isZombie).length,
    records: readdirSync(join(home, "in-flight")).filter((name) => name.endsWith(".json")).length,
  };
}

function childrenOf(pid: number): readonly number[] {
  const words = readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ");
    } catch {
      return [];
    }
  });
  return words.filter((word) => word.trim() !== "").map(Number);
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}
