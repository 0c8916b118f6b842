import { dlopen } from "bun:ffi";
import { closeSync, constants, openSync } from "node:fs";

/** The test's own hand on advisory locks, so that what a lock says is not taken from the program under test. */
const c = dlopen(process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6", {
  flock: { args: ["i32", "i32"], returns: "i32" },
}).symbols;

const exclusive = 2;
const withoutWaiting = 4;

/** False also when the file is gone. */
export function lockIsHeld(path: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY);
  } catch {
    return false;
  }
  try {
    return c.flock(descriptor, exclusive | withoutWaiting) !== 0;
  } finally {
    closeSync(descriptor);
  }
}

/** Takes a lock that nobody holds; the returned function lets it go. */
export function holdLock(path: string): () => void {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  if (c.flock(descriptor, exclusive | withoutWaiting) !== 0) throw new Error(`${path} is locked already`);
  return () => closeSync(descriptor);
}
