import { systemClock } from "../base/clock.ts";
import { sha256 } from "../base/digest.ts";

/** What a command says on one of its pipes: kept up to a bound, compared whole. */
export interface BoundedOutput {
  /** All of it, or its two ends with a mark between them that says how much is missing. */
  readonly bytes: () => Buffer;
  readonly isWhole: () => boolean;
  /** Changes with any byte, also one that is not kept; white space at the very end does not count. */
  readonly digest: () => string;
  /** Settles at the end of the pipe, or once nothing more comes from a pipe that something which escaped keeps open. */
  readonly whenSaid: () => Promise<void>;
}

/** Reads a pipe to its end, keeping at most `max` bytes. */
export function boundedOutput(pipe: ReadableStream<Uint8Array>, max: number): BoundedOutput {
  const half = Math.floor(max / 2);
  const all = new Bun.CryptoHasher("sha256");
  let head: Buffer = Buffer.alloc(0);
  let tail: Buffer = Buffer.alloc(0);
  let size = 0;
  const read = async (): Promise<void> => {
    for await (const chunk of pipe) {
      all.update(chunk);
      size += chunk.length;
      const first = chunk.subarray(0, half - head.length);
      if (first.length > 0) head = Buffer.concat([head, first]);
      const rest = chunk.subarray(first.length);
      if (rest.length > 0) tail = lastOf(tail, rest, max - half);
    }
  };
  const closed = read().catch(() => {});
  const missing = (): number => size - head.length - tail.length;
  const bytes = (): Buffer =>
    missing() === 0
      ? Buffer.concat([head, tail])
      : Buffer.concat([head, Buffer.from(`\n[… ${missing()} bytes left out here …]\n`), tail]);
  return {
    bytes,
    isWhole: () => missing() === 0,
    digest: () => (missing() === 0 ? sha256(withoutTrailingSpace(bytes())) : all.copy().digest("hex")),
    whenSaid: () => Promise.race([closed, quiet(() => size)]),
  };
}

/** Copies, so that no chunk is kept alive for a few of its bytes. */
function lastOf(before: Buffer, added: Uint8Array, max: number): Buffer {
  if (added.length >= max) return Buffer.from(added.subarray(added.length - max));
  const kept = before.subarray(Math.max(0, before.length + added.length - max));
  return Buffer.concat([kept, added]);
}

function withoutTrailingSpace(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1] ?? 0)) end--;
  return bytes.subarray(0, end);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** The command has ended when this is asked: two looks between which nothing new was read mean that there is nothing new. */
async function quiet(size: () => number): Promise<void> {
  for (let before = -1; before !== size(); ) {
    before = size();
    await systemClock.sleep(lookMs);
  }
}

const lookMs = 100;
