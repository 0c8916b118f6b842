import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { causeOf, codeOf } from "../base/result.ts";
import { linuxC, linuxErrno, pollNow } from "./c-library.ts";
import type { Platform, Process, Start } from "./platform.ts";

/**
 * Linux. Group end without a watcher: the read end of the lifetime channel is armed with O_ASYNC, F_SETSIG = SIGKILL and
 * F_SETOWN = -group, so the kernel itself kills the group 0.3 ms after the core's end closes, however the core died and whatever the
 * group is doing. The arm belongs to the open file: some process of the group must keep the descriptor open.
 */
export const linux: Platform = {
  name: "linux",
  tryLock: (descriptor) => {
    if (linuxC().flock(descriptor, lockExclusive | lockWithoutWaiting) === 0) return "taken";
    const errno = linuxErrno();
    if (errno === wouldBlock) return "held";
    throw new Error(`flock: errno ${errno}`);
  },
  unlock: (descriptor) => {
    linuxC().flock(descriptor, lockRelease);
  },
  sameProgram: (path) => (existsSync("/proc/self/exe") ? "/proc/self/exe" : path),
  ownGroup: () => linuxC().getpgid(0),
  armGroupEnd: (channel) => {
    const c = linuxC();
    const group = c.getpgid(0);
    const armed =
      c.fcntl(channel, setSignal, sigkill) === 0 &&
      c.fcntl(channel, setOwner, -group) === 0 &&
      c.fcntl(channel, setFlags, async) === 0;
    if (!armed) throw new Error(`fcntl on the lifetime channel: errno ${linuxErrno()}`);
    return true;
  },
  channelEnded: (channel) => pollNow(linuxC().poll, channel),
  adoptOrphans: () => linuxC().prctl(setChildSubreaper, 1n, 0n, 0n, 0n) === 0,
  ownChildren: () => ownChildren(),
  collect: (pid) => {
    linuxC().waitpid(pid, null, withoutHanging);
  },
  collectFromGroup: (leader) => {
    for (;;) {
      const collected = linuxC().waitpid(-leader, null, withoutHanging);
      if (collected <= 0) return collected === 0 ? "some" : "none";
    }
  },
  sessionOf: (pid) => {
    const session = linuxC().getsid(pid);
    return session === -1 ? null : session;
  },
  startOf,
  comparable: (start) => start.slice(start.indexOf("/")) === `/${ownView()}`,
  processes,
  birthTagOf: (pid) => birthTagIn(readFromThread(pid, "environ")),
  holdsLock,
};

const lockExclusive = 2;
const lockWithoutWaiting = 4;
const lockRelease = 8;
const wouldBlock = 11;
const setSignal = 10;
const setOwner = 8;
const setFlags = 4;
const async = 0o20000;
const sigkill = 9;
const setChildSubreaper = 36;
const withoutHanging = 1;

/** Threads of this process may each have started children, so each thread's list is read. */
function ownChildren(): readonly number[] | null {
  try {
    const pids: number[] = [];
    for (const thread of readdirSync("/proc/self/task")) {
      const list = readFileSync(`/proc/self/task/${thread}/children`, "utf8");
      for (const word of list.split(" ")) if (word.trim() !== "") pids.push(Number(word));
    }
    return pids;
  } catch {
    return null;
  }
}

function startOf(pid: number): Start {
  try {
    const fields = statFields(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return { kind: "started", start: startToken(fields.startTicks), ended: fields.ended };
  } catch (thrown) {
    const absent = codeOf(thrown) === "ENOENT" || codeOf(thrown) === "ESRCH";
    if (absent && processesAreShown()) return { kind: "gone" };
    return { kind: "unknown", cause: causeOf(thrown) };
  }
}

/** A sandbox may hide /proc: then "no such file" says nothing about a process. Our own entry tells the two apart. */
function processesAreShown(): boolean {
  return readOrNull(`/proc/${process.pid}/stat`) !== null;
}

function processes(): readonly Process[] | null {
  if (!processesAreShown()) return null;
  const found: Process[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readOrNull(`/proc/${name}/stat`);
    if (stat === null) continue;
    const fields = statFields(stat);
    found.push({
      pid: Number(name),
      parent: fields.parent,
      group: fields.group,
      start: startToken(fields.startTicks),
      ended: fields.ended,
      command: (readFromThread(name, "cmdline") ?? "").split("\0").join(" ").trim(),
    });
  }
  return found;
}

/**
 * The name field may hold spaces and brackets, so counting starts behind the last bracket: state is field 3, threads field 20, start time
 * field 22. The state is the first thread's alone: a zombie whose other threads still live (it is being killed, or its main left early)
 * still runs, holds its files and its locks.
 */
function statFields(stat: string): { ended: boolean; parent: number; group: number; startTicks: string } {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const firstThreadEnded = fields[0] === "Z" || fields[0] === "X";
  return {
    ended: firstThreadEnded && Number(fields[17]) <= 1,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    startTicks: fields[19] ?? "",
  };
}

/** What the kernel says of a process where its first thread still lives, else what it says of the first that does; null = it is gone. */
function readFromThread(pid: number | string, file: "cmdline" | "environ"): string | null {
  const said = readOrNull(`/proc/${pid}/${file}`);
  if (said !== null && said !== "") return said;
  for (const thread of threadsOf(pid)) {
    const more = readOrNull(`/proc/${pid}/task/${thread}/${file}`);
    if (more !== null && more !== "") return more;
  }
  return said;
}

/** Ticks count from boot and pids from their namespace, so both are part of the token: `<ticks>@<boot>/<namespace>`. */
function startToken(ticks: string): string {
  boot ??= (readOrNull("/proc/sys/kernel/random/boot_id") ?? "").trim().slice(0, 8);
  return `${ticks}@${boot}/${ownView()}`;
}

let boot: string | null = null;

function ownView(): string {
  view ??= /\d+/.exec(linkOrNull("/proc/self/ns/pid") ?? "")?.[0] ?? "";
  return view;
}

let view: string | null = null;

/** Having the file open proves nothing (somebody may just read it); the kernel says beside each descriptor which locks it has. */
function holdsLock(pid: number, path: string): boolean {
  const own = filesOf(`/proc/${pid}`);
  if (own.length > 0) return own.some((name) => isLockOn(`/proc/${pid}`, name, path));
  // All threads share their files, and a first thread that has ended shows none.
  const thread = threadsOf(pid).find((one) => filesOf(`/proc/${pid}/task/${one}`).length > 0);
  if (thread === undefined) return false;
  const place = `/proc/${pid}/task/${thread}`;
  return filesOf(place).some((name) => isLockOn(place, name, path));
}

function threadsOf(pid: number | string): readonly string[] {
  return namesIn(`/proc/${pid}/task`);
}

function filesOf(place: string): readonly string[] {
  return namesIn(`${place}/fd`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isLockOn(place: string, name: string, path: string): boolean {
  return (
    linkOrNull(`${place}/fd/${name}`) === path && /^lock:.*FLOCK/m.test(readOrNull(`${place}/fdinfo/${name}`) ?? "")
  );
}

function linkOrNull(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function birthTagIn(environment: string | null): string | null {
  if (environment === null) return null;
  for (const entry of environment.split("\0"))
    if (entry.startsWith("TAMA_BIRTH=")) return entry.slice("TAMA_BIRTH=".length);
  return null;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}
