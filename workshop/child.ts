import { withoutTakeover } from "./installed.ts";

export interface Child {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** The whole group is ended after this many milliseconds. */
  readonly limit: number;
  /** Called for each complete line of either stream as it comes. */
  readonly onLine?: (line: string) => void;
}

export interface Ended {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly overran: boolean;
  /** Both streams, in the order in which their pieces came. */
  readonly output: string;
  readonly ms: number;
}

const running = new Set<number>();

/** Runs a program in a group of its own, so that all it started can be ended with it. */
export async function runChild(child: Child): Promise<Ended> {
  const started = performance.now();
  const proc = Bun.spawn([...child.command], {
    cwd: child.cwd,
    env: { ...withoutTakeover(process.env), ...child.env },
    detached: true,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(proc.pid);
  const pieces: string[] = [];
  const readers = [proc.stdout.getReader(), proc.stderr.getReader()];
  const reading = Promise.all(readers.map((reader) => readLines(reader, pieces, child.onLine)));
  let overran = false;
  const clock = setTimeout(() => {
    overran = true;
    endGroup(proc.pid);
  }, child.limit);
  await proc.exited;
  clearTimeout(clock);
  // What it left running in its group would hold the pipes open and outlive the run.
  endGroup(proc.pid);
  running.delete(proc.pid);
  // A process that left the group may still hold a pipe; it must not hold the run.
  const patience = setTimeout(() => {
    for (const reader of readers) void reader.cancel();
  }, 1_000);
  await reading;
  clearTimeout(patience);
  return {
    code: proc.signalCode === null ? proc.exitCode : null,
    signal: proc.signalCode === null ? null : String(proc.signalCode),
    overran,
    output: pieces.join(""),
    ms: performance.now() - started,
  };
}

/** Ends every group still running when the command itself is told to end: they are in sessions of their own. */
export function endChildrenOnSignal(): void {
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ] as const) {
    process.on(signal, () => {
      for (const pid of running) endGroup(pid);
      process.exit(128 + number);
    });
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone already, which is what was wanted.
  }
}

interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

async function readLines(
  reader: Reader,
  pieces: string[],
  onLine: ((line: string) => void) | undefined,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const text = decoder.decode(read.value, { stream: true });
    pieces.push(text);
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (onLine !== undefined) for (const line of lines) onLine(line);
  }
  if (rest !== "" && onLine !== undefined) onLine(rest);
}
