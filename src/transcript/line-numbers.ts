import { closeSync, constants, openSync, readSync } from "node:fs";

/** The number, from 1, of the line in which each byte of a file lies. Bytes that cannot be read any more have none. */
export function lineNumbers(path: string, bytes: readonly number[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const wanted = [...new Set(bytes)].sort((one, other) => one - other);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return found;
  }
  try {
    count(descriptor, wanted, found);
  } catch {
    // What could be counted before stands.
  } finally {
    closeSync(descriptor);
  }
  return found;
}

function count(descriptor: number, wanted: readonly number[], found: Map<number, number>): void {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let line = 1;
  let next = 0;
  for (let at = 0; next < wanted.length; ) {
    const got = readSync(descriptor, chunk, 0, chunkBytes, at);
    if (got === 0) return;
    const bytes = chunk.subarray(0, got);
    let from = 0;
    for (;;) {
      const end = bytes.indexOf(10, from);
      const lineEnd = end === -1 ? at + got : at + end + 1;
      for (let byte = wanted[next]; byte !== undefined && byte < lineEnd; byte = wanted[++next]) found.set(byte, line);
      if (end === -1) break;
      line++;
      from = end + 1;
    }
    at += got;
  }
}

const chunkBytes = 1024 * 1024;
