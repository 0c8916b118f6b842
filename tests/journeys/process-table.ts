import { readdirSync, readFileSync } from "node:fs";

/** The test's own look at the process table: what is there is read from the kernel, not from the program under test. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** R, S, D, T, Z … of its first thread. */
  readonly state: string;
  /** A zombie has ended once no other thread of it lives: until then it holds its files and its locks. */
  readonly ended: boolean;
  /** Kernel ticks; equal only to itself. */
  readonly startTicks: string;
}

/** Null when there is no such process. */
export function lookAt(pid: number): SeenProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      pid,
      state: fields[0] ?? "?",
      ended: /[ZX]/.test(fields[0] ?? "") && Number(fields[17]) <= 1,
      parent: Number(fields[1]),
      group: Number(fields[2]),
      startTicks: fields[19] ?? "",
    };
  } catch {
    return null;
  }
}

/** Whether a process really runs: `kill 0` would count a zombie. */
export function runs(pid: number): boolean {
  const seen = lookAt(pid);
  return seen !== null && !seen.ended;
}

export function allPids(): readonly number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/**
 * Every living process whose environment or command line holds `mark`, the test's own left out. A world's root in its environment marks
 * all that a core starts there; a hook that drops its environment is marked by what it runs.
 */
export function processesWith(mark: string): readonly SeenProcess[] {
  return allPids().flatMap((pid) => {
    if (pid === process.pid || !mentions(pid, mark)) return [];
    const seen = lookAt(pid);
    return seen === null || seen.ended ? [] : [seen];
  });
}

function mentions(pid: number, mark: string): boolean {
  return ["environ", "cmdline"].some((file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "latin1").includes(mark);
    } catch {
      return false;
    }
  });
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").join(" ").trim();
  } catch {
    return "";
  }
}

export function openFilesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Kilobytes of memory in use now (VmRSS). */
export function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? Number.NaN);
}

export function zombiesOf(parent: number): number {
  return allPids().filter((pid) => {
    const seen = lookAt(pid);
    return seen !== null && seen.parent === parent && seen.state === "Z";
  }).length;
}
