import { ptr } from "bun:ffi";
import { darwinC, darwinErrno, pollNow } from "./c-library.ts";
import type { Platform, Process, Start } from "./platform.ts";

/**
 * macOS, written from the system's headers and type-checked, cross-built and unit-tested on its layouts; not run on a Mac here.
 * There is no F_SETSIG, so a watcher process in the group ends it (watcher.ts), and no subreaper: a process that left the group and
 * the tree is found by its birth tag only.
 */
export const darwin: Platform = {
  name: "darwin",
  tryLock: (descriptor) => {
    if (darwinC().flock(descriptor, lockExclusive | lockWithoutWaiting) === 0) return "taken";
    const errno = darwinErrno();
    if (errno === wouldBlock) return "held";
    throw new Error(`flock: errno ${errno}`);
  },
  unlock: (descriptor) => {
    darwinC().flock(descriptor, lockRelease);
  },
  sameProgram: (path) => path,
  ownGroup: () => darwinC().getpgid(0),
  armGroupEnd: () => false,
  channelEnded: (channel) => pollNow(darwinC().poll, channel),
  adoptOrphans: () => false,
  ownChildren: () =>
    processes()
      ?.filter((one) => one.parent === process.pid)
      .map((one) => one.pid) ?? null,
  collect: (pid) => {
    darwinC().waitpid(pid, null, withoutHanging);
  },
  collectFromGroup: () => "none",
  sessionOf: (pid) => {
    const session = darwinC().getsid(pid);
    return session === -1 ? null : session;
  },
  startOf,
  comparable: () => true,
  processes,
  birthTagOf,
  holdsLock: () => false,
};

const lockExclusive = 2;
const lockWithoutWaiting = 4;
const lockRelease = 8;
const wouldBlock = 35;
const withoutHanging = 1;
const noSuchProcess = 3;
const pidBsdInfo = 3;
const bsdInfoBytes = 136;
const zombie = 5;

function startOf(pid: number): Start {
  const info = new Uint8Array(bsdInfoBytes);
  if (darwinC().proc_pidinfo(pid, pidBsdInfo, 0n, ptr(info), bsdInfoBytes) === bsdInfoBytes) {
    const read = readBsdInfo(info);
    return { kind: "started", start: read.start, ended: read.ended };
  }
  const errno = darwinErrno();
  return errno === noSuchProcess ? { kind: "gone" } : { kind: "unknown", cause: `proc_pidinfo: errno ${errno}` };
}

/**
 * `struct proc_bsdinfo` of <sys/proc_info.h>: flags, status, xstatus, pid, ppid … as 32-bit words, two names, then pgid at 100 and the
 * start as seconds at 120 and microseconds at 128.
 */
export function readBsdInfo(info: Uint8Array): Omit<Process, "command"> {
  const view = new DataView(info.buffer, info.byteOffset, info.byteLength);
  return {
    pid: view.getUint32(12, true),
    parent: view.getUint32(16, true),
    group: view.getUint32(100, true),
    start: `${view.getBigUint64(120, true)}.${view.getBigUint64(128, true).toString().padStart(6, "0")}`,
    ended: view.getUint32(4, true) === zombie,
  };
}

function processes(): readonly Process[] | null {
  const pids = new Int32Array(65536);
  const count = darwinC().proc_listallpids(ptr(pids), pids.byteLength);
  if (count <= 0) return null;
  const found: Process[] = [];
  for (const pid of pids.subarray(0, count)) {
    const info = new Uint8Array(bsdInfoBytes);
    if (darwinC().proc_pidinfo(pid, pidBsdInfo, 0n, ptr(info), bsdInfoBytes) !== bsdInfoBytes) continue;
    found.push({ ...readBsdInfo(info), command: processArguments(pid)?.words.join(" ") ?? "" });
  }
  return found;
}

function birthTagOf(pid: number): string | null {
  const tag = processArguments(pid)?.environment.find((entry) => entry.startsWith("TAMA_BIRTH="));
  return tag === undefined ? null : tag.slice("TAMA_BIRTH=".length);
}

function processArguments(pid: number): ProcessArguments | null {
  const name = new Int32Array([ctlKern, kernProcArgs2, pid]);
  const space = new Uint8Array(argumentBytesMax);
  const size = new BigUint64Array([BigInt(space.byteLength)]);
  if (darwinC().sysctl(ptr(name), 3, ptr(space), ptr(size), null, 0n) !== 0) return null;
  return readProcArgs(space.subarray(0, Number(size[0] ?? 0n)));
}

const ctlKern = 1;
const kernProcArgs2 = 49;
const argumentBytesMax = 1024 * 1024;

export interface ProcessArguments {
  readonly words: readonly string[];
  readonly environment: readonly string[];
}

/** KERN_PROCARGS2: argument count, the executable's path with padding, then arguments and environment, each ended by a zero byte. */
export function readProcArgs(bytes: Uint8Array): ProcessArguments | null {
  if (bytes.length < 5) return null;
  const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(0, true);
  const path = bytes.indexOf(0, 4);
  if (path === -1) return null;
  let at = path;
  while (bytes[at] === 0) at++;
  const strings = Buffer.from(bytes.subarray(at)).toString("utf8").split("\0");
  const rest = strings.slice(count);
  const end = rest.indexOf("");
  return { words: strings.slice(0, count), environment: end === -1 ? rest : rest.slice(0, end) };
}
