import { write } from "node:fs";
import { systemClock } from "./clock.ts";

/**
 * Lines out of one descriptor, in order and whole, however slow the reader: one write is under way at a time, and whoever writes faster
 * than the reader reads is asked to wait. Once the reader is gone every write rejects.
 */
export interface LineWriter {
  readonly write: (line: string) => Promise<void>;
  readonly drained: () => Promise<void>;
  /** Aborts as soon as a write finds that nobody reads any more. */
  readonly gone: AbortSignal;
}

export function openLineWriter(descriptor: number): LineWriter {
  const queue: Buffer[] = [];
  let queued = 0;
  let running: Promise<void> | null = null;
  let gone: Error | null = null;
  const left = new AbortController();
  const run = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await writeWhole(descriptor, next);
      queued -= next.length;
    }
  };
  const drained = async (): Promise<void> => {
    if (running !== null) await running;
  };
  return {
    gone: left.signal,
    drained: () => drained().catch(() => {}),
    write: async (line) => {
      if (gone !== null) throw gone;
      const bytes = Buffer.from(`${line}\n`);
      queue.push(bytes);
      queued += bytes.length;
      running ??= run()
        .catch((thrown: unknown) => {
          gone = thrown instanceof Error ? thrown : new Error(String(thrown));
          queue.length = 0;
          left.abort(gone.message);
          throw gone;
        })
        .finally(() => {
          running = null;
        });
      running.catch(() => {});
      if (queued > queuedMax) await drained();
    },
  };
}

const queuedMax = 4 * 1024 * 1024;

async function writeWhole(descriptor: number, bytes: Buffer): Promise<void> {
  let sent = 0;
  while (sent < bytes.length) {
    const count = await writeOnce(descriptor, bytes, sent);
    if (count === 0) await systemClock.sleep(1);
    sent += count;
  }
}

function writeOnce(descriptor: number, bytes: Buffer, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, from, bytes.length - from, null, (error, count) => {
      if (error === null || error === undefined) resolve(count);
      else if (error.code === "EAGAIN") resolve(0);
      else reject(error);
    });
  });
}
