import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLockedFile } from "../../src/disk/locked-file.ts";
import { makeWorld, type World } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import { type ServedCore, startCore } from "./served-core.ts";

/** What every case stands on: the product under measurement and an empty program built the same way. */
export interface Ground {
  readonly binary: string;
  readonly emptyProgram: string;
  /** Reads the file it is told line by line through JSON.parse, built the same way. */
  readonly lineReader: string;
  readonly rounds: number;
  readonly dispatches: number;
  /** How long a long transcript is; the longest is five times as long. */
  readonly megabytes: number;
  readonly remark: (text: string) => void;
}

/** A home of the bench's own, and a core in it. */
export interface Bed {
  readonly world: World;
  readonly core: ServedCore;
  readonly close: () => Promise<void>;
}

/** A hook as registry.json holds it; its program is a gate of Tama's or a command. */
export interface BenchHook {
  readonly id: string;
  readonly program: { readonly gate: string } | { readonly command: readonly string[] };
}

export async function makeBed(ground: Ground, hooks: (world: World) => readonly BenchHook[]): Promise<Bed> {
  const world = makeWorld();
  declare(world, hooks(world));
  const core = await startCore({ binary: ground.binary, cwd: world.root, environment: world.environment });
  return {
    world,
    core,
    close: async () => {
      await core.close();
      world.remove();
    },
  };
}

/** Declares hooks for every tool_call, in place of what was declared. */
export function declare(world: World, hooks: readonly BenchHook[]): void {
  const declared = hooks.map((hook) => ({
    ...hook,
    says: "a hook of the bench",
    on: [{ event: "tool_call", tools: ["*"] }],
    file: join(world.root, `${hook.id}.json`),
    at: "2026-01-01T00:00:00.000Z",
  }));
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, "registry.json"), JSON.stringify({ declared }), { mode: 0o600 });
}

/** Five built-in gates: one gate under five names, since a bench must not depend on which gates a release brings. */
export const fiveGates: readonly BenchHook[] = [1, 2, 3, 4, 5].map((number) => ({
  id: `bench-gate-${number}`,
  program: { gate: "block-gate-tampering" },
}));

export interface CallWords {
  readonly session: string;
  readonly number: number;
  readonly cwd: string;
}

/** One harmless call of a session, and its result: a looking command, different each time, so that none is a repeat. */
export function callOf({ session, number, cwd }: CallWords): { readonly call: object; readonly result: object } {
  const common = { session, cwd, agent: "main", tool: "bash", call: `call-${number}`, message: number };
  const input = { command: `ls -la folder-${number}` };
  return { call: { ...common, input }, result: { ...common, input, isError: false, text: "total 0" } };
}

/** A birth as the bench finds it in TAMA_HOME/in-flight. */
export interface FoundBirth {
  readonly identity: string;
  readonly pid: number;
  readonly pgid: number;
  /** Some process holds the record's lock. */
  readonly held: boolean;
  /** Lines after the birth: the assignment, then progress. */
  readonly lines: readonly string[];
}

export function birthsIn(world: World): readonly FoundBirth[] {
  const folder = join(world.home, "in-flight");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .flatMap((name): FoundBirth[] => {
      const found = readLockedFile(join(folder, name));
      if (!found.ok || found.value === null) return [];
      const [first = "{}", ...lines] = found.value.text.trimEnd().split("\n");
      const birth = JSON.parse(first) as { hookBirthIdentity: string; pid: number; pgid: number };
      return [{ identity: birth.hookBirthIdentity, pid: birth.pid, pgid: birth.pgid, held: found.value.held, lines }];
    });
}

/**
 * Waits until `count` supervisors are born and waiting: what "warm" means. A core that keeps fewer is taken as it is once it has started
 * no more for a while, since then that is what its next dispatch will meet.
 */
export async function warm(world: World, count: number): Promise<void> {
  const folder = join(world.home, "in-flight");
  const births = (): number =>
    readdirSync(folder).filter((name) => name.endsWith(".json") && !name.startsWith(".") && isIdle(join(folder, name)))
      .length;
  let seen = births();
  let since = performance.now();
  await until(`${count} supervisors waiting`, () => {
    const now = births();
    if (now !== seen) since = performance.now();
    seen = now;
    return now >= count || performance.now() - since > quietMs;
  });
}

const quietMs = 3000;

/** A birth without a second line has been given no hook yet. */
function isIdle(record: string): boolean {
  try {
    return readFileSync(record, "utf8").trimEnd().split("\n").length === 1;
  } catch {
    return false;
  }
}

/** Calls before measuring begins: a core compiles what it runs often, and a session has hundreds of calls. */
export const settlingCalls = 60;
