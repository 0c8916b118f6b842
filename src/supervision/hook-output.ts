import { systemClock } from "../base/clock.ts";
import { hookOutputBytesMax } from "../base/limits.ts";
import { LineCutter } from "../base/lines.ts";

/** One of a hook's output pipes, read as it comes. */
export interface HookOutput {
  readonly text: () => string;
  /** Settles at the end of the pipe, or once nothing more comes from a pipe that somebody strange keeps open. */
  readonly whenSaid: () => Promise<void>;
}

export interface HookOutputRequest {
  readonly pipe: ReadableStream<Uint8Array>;
  readonly name: "stdout" | "stderr";
  readonly onLine: (line: string) => void;
  /** Called once when the hook says more than anybody will hold in memory; the pipe is then closed. */
  readonly onFlood: (cause: string) => void;
}

/** Reads a pipe to its end, keeping at most the limit. */
export function readHookOutput({ pipe, name, onLine, onFlood }: HookOutputRequest): HookOutput {
  const kept: Uint8Array[] = [];
  let size = 0;
  const lines = new LineCutter(hookOutputBytesMax);
  const read = async (): Promise<void> => {
    for await (const chunk of pipe) {
      size += chunk.length;
      if (size > hookOutputBytesMax) return onFlood(`wrote more than ${hookOutputBytesMax} bytes on ${name}`);
      kept.push(chunk);
      for (const line of lines.push(chunk)) if (line !== null) onLine(line.toString());
    }
    const rest = lines.rest();
    if (rest != null) onLine(rest.toString());
  };
  const closed = read().catch(() => {});
  return {
    text: () => Buffer.concat(kept).toString(),
    whenSaid: () => Promise.race([closed, quiet(() => size)]),
  };
}

/**
 * The hook has ended when this is asked, so all it wrote lies in the pipe already, and two looks between which the reader had its turn and
 * found nothing new mean that there is nothing new.
 */
async function quiet(size: () => number): Promise<void> {
  for (let before = -1; before !== size(); ) {
    before = size();
    await systemClock.sleep(lookMs);
  }
}

const lookMs = 100;
