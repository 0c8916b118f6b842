import { appendFileSync, closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeWorld, type World } from "../journeys/tama-command.ts";
import { inTurn, type Row, rowOf, timed } from "./figures.ts";
import { runToEnd } from "./floors.ts";
import type { Ground } from "./ground.ts";
import { publishedCall, publishedSession } from "./published-session.ts";

/**
 * The first call of a session whose long transcript nobody read before, as the gate over looks meets it in a process of its own, beside
 * a program that does nothing but JSON.parse of each line.
 */
export async function firstRead(ground: Ground): Promise<readonly Row[]> {
  const world = makeWorld();
  try {
    const path = join(world.root, "long.jsonl");
    writeLong(path, ground.megabytes);
    const gate = askingGate(ground.binary, world, path, "first");
    const unread = (): void => rmSync(join(world.home, "transcripts"), { recursive: true, force: true });
    const first = async (): Promise<number> => {
      unread();
      return await timed(gate.ask);
    };
    const { environment } = world;
    const lines = (): Promise<number> =>
      runToEnd([ground.lineReader, path], { environment, cwd: world.root, output: "dropped" });
    const samples = await inTurn(longRounds(ground), first, lines);
    const peak = await peakMegabytes(() => {
      unread();
      return gate.start();
    });
    const row = rowOf({
      name: `first read of ${ground.megabytes} MB`,
      beside: "JSON.parse of the same file line by line, in a program of its own",
      samples,
      times: 1.5,
      note: `peak memory ${peak.toFixed(0)} MB`,
    });
    return [{ ...row, goals: [...row.goals, { says: "peak ≤ 150 MB", most: 150, reached: peak, unit: " MB" }] }];
  } finally {
    world.remove();
  }
}

/** A call with 2 KB appended since the last one, on a very long transcript beside a short one. */
export async function appendedTo(ground: Ground): Promise<readonly Row[]> {
  const world = makeWorld();
  try {
    const megabytes = 5 * ground.megabytes;
    const long = askingGate(ground.binary, world, join(world.root, "long.jsonl"), "long");
    const short = askingGate(ground.binary, world, join(world.root, "short.jsonl"), "short");
    writeLong(long.path, megabytes);
    writeLong(short.path, 1);
    let number = 10_000_000;
    const asked = (gate: AskedGate) => async (): Promise<number> => {
      const text = publishedCall(++number);
      // The newest rows of one call, two kilobytes of them.
      appendFileSync(gate.path, text.slice(text.lastIndexOf("\n", Math.max(0, text.length - 2048)) + 1));
      return await timed(gate.ask);
    };
    await long.ask();
    await short.ask();
    const samples = await inTurn(Math.max(5, Math.round(ground.rounds / 2)), asked(long), asked(short));
    const [peak, beside] = [await peakMegabytes(long.start), await peakMegabytes(short.start)];
    const row = rowOf({
      name: `a call on ${megabytes} MB, 2 KB appended`,
      beside: "the same on 1 MB",
      samples,
      times: 1.2,
      note: `peak memory ${peak.toFixed(0)} MB beside ${beside.toFixed(0)}`,
    });
    return [{ ...row, goals: [...row.goals, { says: "memory ≤ 1.1×", most: 1.1, reached: peak / beside, unit: "×" }] }];
  } finally {
    world.remove();
  }
}

function longRounds(ground: Ground): number {
  return Math.max(3, Math.round(ground.rounds / 10));
}

/** Written in pieces, so that the bench itself stays small. */
function writeLong(path: string, megabytes: number): void {
  const descriptor = openSync(path, "w");
  for (const piece of publishedSession(megabytes * 1_000_000)) writeSync(descriptor, piece);
  closeSync(descriptor);
}

interface AskedGate {
  readonly path: string;
  readonly ask: () => Promise<void>;
  readonly start: () => Bun.Subprocess;
}

function askingGate(binary: string, world: World, path: string, session: string): AskedGate {
  const event = {
    event: "tool_call",
    session,
    transcript: path,
    cwd: "/srv/app",
    tool: "Bash",
    input: { command: "ls" },
  };
  const stdin = JSON.stringify({ ...event, call: "now", tama: { harness: "claude-code" } });
  const start = (): Bun.Subprocess =>
    Bun.spawn([binary, "hook", "block-wait-polling"], {
      env: world.environment,
      stdio: [Buffer.from(stdin), "ignore", "ignore"],
    });
  return {
    path,
    start,
    ask: async () => {
      const code = await start().exited;
      if (code !== 0) throw new Error(`the gate ended with ${code}`);
    },
  };
}

/**
 * The highest resident size of a process, of several alike, looked at while it runs: what the system reports at its end holds its parent's
 * too, and a look may come too early for the end of a short one.
 */
async function peakMegabytes(start: () => Bun.Subprocess): Promise<number> {
  let peak = 0;
  for (let time = 0; time < 5; time++) {
    const child = start();
    const looking = setInterval(() => {
      peak = Math.max(peak, residentPeak(child.pid));
    }, 1);
    await child.exited;
    clearInterval(looking);
  }
  return peak;
}

function residentPeak(pid: number): number {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0") / 1024;
  } catch {
    return 0;
  }
}
