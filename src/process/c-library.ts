import { dlopen, type FFIFunction, ptr, read } from "bun:ffi";

/**
 * The few C functions Tama needs, opened on first use: opening costs 0.15 ms, which only supervisors and lock takers should pay.
 * `fcntl` and `prctl` take a variable argument list; on x64 and on Linux arm64 such a call looks like a fixed one, on macOS arm64 it does
 * not, so neither is declared there.
 */
const everywhere = {
  flock: { args: ["i32", "i32"], returns: "i32" },
  getpgid: { args: ["i32"], returns: "i32" },
  getsid: { args: ["i32"], returns: "i32" },
  waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
  poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
} as const satisfies Record<string, FFIFunction>;

const onLinux = {
  ...everywhere,
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
} as const satisfies Record<string, FFIFunction>;

const onDarwin = {
  ...everywhere,
  proc_pidinfo: { args: ["i32", "i32", "u64", "ptr", "i32"], returns: "i32" },
  proc_listallpids: { args: ["ptr", "i32"], returns: "i32" },
  sysctl: { args: ["ptr", "u32", "ptr", "ptr", "ptr", "u64"], returns: "i32" },
  __error: { args: [], returns: "ptr" },
} as const satisfies Record<string, FFIFunction>;

export const linuxC: () => ReturnType<typeof openLinux>["symbols"] = once(() => openLinux().symbols);
export const darwinC: () => ReturnType<typeof openDarwin>["symbols"] = once(() => openDarwin().symbols);

/** The error number of the last failed call; only meaningful right after one. */
export function linuxErrno(): number {
  const at = linuxC().__errno_location();
  return at === null ? 0 : read.i32(at, 0);
}

export function darwinErrno(): number {
  const at = darwinC().__error();
  return at === null ? 0 : read.i32(at, 0);
}

/** True when `poll` reports anything at all on a descriptor: bytes, end, or error. Same structure on every platform. */
export function pollNow(
  poll: (fds: ReturnType<typeof ptr>, count: bigint, ms: number) => number,
  descriptor: number,
): boolean {
  const request = new DataView(new ArrayBuffer(8));
  request.setInt32(0, descriptor, true);
  request.setInt16(4, pollIn, true);
  return poll(ptr(new Uint8Array(request.buffer)), 1n, 0) > 0;
}

const pollIn = 1;

/** glibc first, then the names musl goes by. */
const linuxNames = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
  `/lib/ld-musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
];

function openLinux(): ReturnType<typeof dlopen<typeof onLinux>> {
  const causes: string[] = [];
  for (const name of linuxNames) {
    try {
      return dlopen(name, onLinux);
    } catch (thrown) {
      causes.push(String(thrown));
    }
  }
  throw new Error(`no C library could be opened: ${causes.join("; ")}`);
}

function openDarwin(): ReturnType<typeof dlopen<typeof onDarwin>> {
  return dlopen("libSystem.B.dylib", onDarwin);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
