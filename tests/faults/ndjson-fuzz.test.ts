import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { LineCutter } from "../../src/base/lines.ts";
import { makeWorld, tamaBinary, type World } from "../journeys/tama-command.ts";
import { type Seeded, scaled, seeded } from "./seeded.ts";

/** Fault 9: a core is fed a million lines of which most are broken. It never exits, answers each line once, and does not grow. */
const full = 1_000_000;
const growthMaxKb = 50 * 1024;

test("a core fed with broken lines answers each once, goes on, and does not grow", async () => {
  const chance = seeded();
  const count = scaled(full);
  console.log(`ndjson fuzz: ${count} lines, seed ${chance.seed} (TAMA_TEST_SEED plays it again)`);
  const world = makeWorld();
  const core = startCounted(world);
  const ids = new Set<string>();
  let settled = 0;
  const from = performance.now();
  for (let sent = 0; sent < count; ) {
    const size = Math.min(200, count - sent);
    const lines = Array.from({ length: size }, (_, at) => makeLine(chance, nameOf(sent + at), ids));
    await core.feed(Buffer.concat(lines));
    sent += size;
    await core.answered(sent);
    // Memory is compared from where code and caches are warm.
    if (settled === 0 && sent >= count / 5) settled = core.memoryKb();
  }
  const grown = core.memoryKb() - settled;
  console.log(`ndjson fuzz: ${Math.round(count / ((performance.now() - from) / 1000))} lines/s, grew by ${grown} kB`);
  expect(core.exitCode()).toBeNull();
  for (const id of ids) expect([id.slice(0, 40), core.byId.get(id)]).toEqual([id.slice(0, 40), 1]);
  expect(grown).toBeLessThan(growthMaxKb);
  expect(await core.end()).toBe(0);
  expect(core.total()).toBe(count);
  world.remove();
}, 3_600_000);

/** A name that a few changed bytes do not make another line's name of. */
function nameOf(number: number): string {
  return `n${number}.${full - number}`;
}

interface CountedCore {
  readonly feed: (bytes: Uint8Array) => Promise<void>;
  /** Settles when so many answers have come. */
  readonly answered: (count: number) => Promise<void>;
  readonly byId: ReadonlyMap<string, number>;
  readonly total: () => number;
  readonly memoryKb: () => number;
  readonly exitCode: () => number | null;
  readonly end: () => Promise<number | null>;
}

/** Keeps counts only: a million answers must not be held here either. */
function startCounted(world: World): CountedCore {
  const child = Bun.spawn([tamaBinary, "run-hook", "omp", "--serve"], {
    env: world.environment,
    cwd: world.root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const byId = new Map<string, number>();
  let total = -1;
  let wake = (): void => {};
  const reading = (async () => {
    const cutter = new LineCutter(64 * 1024 * 1024);
    for await (const chunk of child.stdout) {
      for (const line of cutter.push(chunk)) {
        total++;
        const { id } = JSON.parse(String(line)) as { id?: string | null };
        if (typeof id === "string") byId.set(id, (byId.get(id) ?? 0) + 1);
      }
      wake();
    }
    wake();
  })();
  return {
    byId,
    feed: async (bytes) => {
      child.stdin.write(bytes);
      await child.stdin.flush();
    },
    answered: async (count) => {
      while (total < count && child.exitCode === null)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (total < count) throw new Error(`the core ended (${child.exitCode}) after ${total} of ${count} answers`);
    },
    total: () => total,
    memoryKb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]),
    exitCode: () => child.exitCode,
    end: async () => {
      await child.stdin.end();
      await Promise.all([reading, child.exited]);
      return child.exitCode;
    },
  };
}

/** One line with its newline. Ids of lines that are certainly whole are noted: each must be answered once. */
function makeLine(chance: Seeded, name: string, ids: Set<string>): Buffer {
  const kind = chance.below(10);
  if (kind === 0) return Buffer.from(`${chance.pick(garbage)}\n`);
  if (kind === 1) return Buffer.concat([bytes(chance, chance.below(200)), Buffer.from("\n")]);
  const id = chance.chance(0.001) ? name.padEnd(chance.below(200_000), "L") : `${chance.pick(oddIds)}${name}`;
  const line = Buffer.from(JSON.stringify({ id, ...body(chance) }));
  if (kind < 7) return Buffer.concat([mutated(chance, line), Buffer.from("\n")]);
  ids.add(id);
  return Buffer.concat([line, Buffer.from("\n")]);
}

const garbage = [
  "",
  "{}",
  "[]",
  "null",
  "{",
  '"',
  "\\",
  "\ufeff{}",
  "\u0000",
  '{"id":0}',
  '{"id":"0"}',
  '{"id":""}',
  '{"id":{}}',
  '{"__proto__":{"id":"x","op":"cancel"}}',
  '{"id":"x","id":null}',
  "1e999",
  "[".repeat(5000),
  `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`,
];
const oddIds = ["", "0", "null", "__proto__", "constructor", "\u2028", "\u0000", "é", "\ud83d\ude00", '"', "-"];
const events = [
  "session_start",
  "input",
  "tool_call",
  "tool_result",
  "before_provider",
  "stop",
  "compact",
  "session_end",
];

function body(chance: Seeded): object {
  const what = chance.below(10);
  if (what === 0) return { op: "cancel", dispatchId: chance.pick(["0", "n1", "__proto__", "x"]) };
  if (what === 1)
    return {
      op: "request",
      operation: chance.pick(["calls/failed", "calls/retry", "hooks/declared", "session/record", "nope", "toString"]),
      body: { session: chance.pick(["", "s", "../s"]), call: "x", because: "y" },
    };
  // Sessions keep records, which is another test's matter; a few show that they do no harm here.
  const session = chance.chance(0.02) ? `s${chance.below(5)}` : null;
  return {
    op: "dispatch",
    event: chance.pick(events),
    payload: {
      session,
      tool: chance.pick(["bash", "read", "write", "", "__proto__"]),
      input: value(chance, 3),
      isError: chance.chance(0.5),
      text: chance.pick(["", "a\nb", "\u001b[2J", "x".repeat(chance.below(3000))]),
      answer: "",
      ...(chance.chance(0.2) ? { [chance.pick(["cwd", "message", "agent", "kind", "call"])]: value(chance, 1) } : {}),
    },
  };
}

function value(chance: Seeded, depth: number): unknown {
  const what = chance.below(depth > 0 ? 8 : 6);
  if (what === 6) return Array.from({ length: chance.below(4) }, () => value(chance, depth - 1));
  if (what === 7)
    return Object.fromEntries(
      Array.from({ length: chance.below(4) }, () => [chance.pick(oddIds), value(chance, depth - 1)]),
    );
  return [null, true, chance.below(1e9), -0.5, "word", { command: "ls; echo $(date)" }][what];
}

/** A few bytes of it changed, dropped or doubled; never a newline, which would make it two lines. */
function mutated(chance: Seeded, line: Buffer): Buffer {
  let changed = Buffer.from(line);
  for (let times = 1 + chance.below(3); times > 0; times--) {
    const at = chance.below(changed.length);
    const how = chance.below(4);
    if (how === 0) changed[at] = byte(chance);
    else if (how === 1) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + 1)]);
    else if (how === 2) changed = changed.subarray(0, at);
    else changed = Buffer.concat([changed.subarray(0, at), bytes(chance, 3), changed.subarray(at)]);
    if (changed.length === 0) return changed;
  }
  return changed;
}

function bytes(chance: Seeded, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => byte(chance)));
}

function byte(chance: Seeded): number {
  const any = chance.below(256);
  return any === 10 ? 0 : any;
}
