import { closeSync, copyFileSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { makeWorld } from "../journeys/tama-command.ts";
import { inTurn, type Row, rowOf } from "./figures.ts";
import { runToEnd } from "./floors.ts";
import type { Ground } from "./ground.ts";

/** Commands a person or an agent waits for, beside an empty program built with the same flags. */
export async function helpAndCalls(ground: Ground): Promise<readonly Row[]> {
  const help = await starting(ground, ["--help"]);
  const calls = await starting(ground, ["calls", "failed", "--session", "s"]);
  return [
    rowOf({ name: "tama --help", beside: emptyProgram, samples: help, times: 1.5 }),
    rowOf({ name: "tama calls failed", beside: emptyProgram, samples: calls, times: 1.5 }),
  ];
}

/** A whole event of a harness that starts a command for each: event in, verdict out, with no core left running. */
export async function oneShot(ground: Ground): Promise<readonly Row[]> {
  const samples = await starting(ground, ["run-hook", "claude-code"], preToolUse);
  return [
    rowOf({
      name: "run-hook claude-code, one shot",
      beside: emptyProgram,
      samples,
      times: 4,
      note: "no resident core, nothing declared",
    }),
  ];
}

const emptyProgram = "an empty Bun program built with the same flags";

/** Each of a session of its own: the same call again would be held for the result that never came. */
const preToolUse = (number: number): string =>
  JSON.stringify({
    session_id: `bench-${number}`,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls -la" },
    tool_use_id: `toolu_${number}`,
    cwd: "/",
    permission_mode: "default",
  });

/**
 * Starts of both, turn by turn over several copies of each: copies of one and the same file start up to a quarter apart, by where the kernel
 * put their pages, so that a figure from one pair tells more of that than of the program. Each start that counts follows some of the same
 * copy that do not, as the usual tools measure: else both would pay for what the other pushed out of the processor's caches.
 */
async function starting(
  ground: Ground,
  words: readonly string[],
  stdin?: (number: number) => string,
): ReturnType<typeof inTurn> {
  const world = makeWorld();
  const request = { environment: world.environment, cwd: world.root };
  // The empty program says nothing that would have to be read.
  const unread = { ...request, output: "dropped" } as const;
  let number = 0;
  const start = (copy: string): Promise<number> =>
    runToEnd([copy, ...words], stdin === undefined ? unread : { ...request, stdin: stdin(++number) });
  try {
    const tama = overCopies(ground.binary, join(world.root, "tama"), start);
    const empty = overCopies(ground.emptyProgram, join(world.root, "empty"), (copy) => runToEnd([copy], unread));
    return await inTurn(ground.rounds, tama, empty);
  } finally {
    world.remove();
  }
}

const copies = 5;
const warmings = 3;

/** Each time the next copy. */
function overCopies(program: string, name: string, run: (copy: string) => Promise<number>): () => Promise<number> {
  const paths = Array.from({ length: copies }, (_, copy) => `${name}-${copy}`);
  for (const path of paths) copyDurably(program, path);
  let turn = 0;
  return async () => {
    const path = paths[turn++ % copies] ?? program;
    for (let warming = 0; warming < warmings; warming++) await run(path);
    return await run(path);
  };
}

/** On the disk before the first start, so that no start shares the disk with the copying. */
function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  const descriptor = openSync(to, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
