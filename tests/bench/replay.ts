import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { entriesInParts } from "../../src/transcript/entries-in-parts.ts";
import { makeWorld } from "../journeys/tama-command.ts";
import { inTurn, type Row, rowOf, timed } from "./figures.ts";
import type { Ground } from "./ground.ts";
import { publishedSession } from "./published-session.ts";

/**
 * `tama replay` of a folder beside the transcript reader alone over the same files in this process: half its speed is twice its time. The
 * sessions have the proportions of published ones.
 */
export async function replaying(ground: Ground): Promise<readonly Row[]> {
  const { binary, rounds } = ground;
  const world = makeWorld();
  try {
    const folder = join(world.root, "sessions");
    mkdirSync(folder);
    for (let file = 0; file < files; file++)
      writeSession(join(folder, `${file}.jsonl`), ground.megabytes / files, file);
    const replay = async (): Promise<number> =>
      await timed(async () => {
        const command = [binary, "replay", folder, "--json"];
        const child = Bun.spawn(command, { env: { ...world.environment }, stdout: "ignore", stderr: "ignore" });
        if ((await child.exited) !== 0) throw new Error("tama replay failed");
      });
    const samples = await inTurn(Math.max(3, Math.round(rounds / 20)), replay, () => timed(() => readAll(folder)));
    return [
      rowOf({
        name: `replay of ${ground.megabytes} MB in ${files} sessions`,
        beside: "reading them",
        samples,
        times: 2,
      }),
    ];
  } finally {
    world.remove();
  }
}

const files = 16;

function writeSession(path: string, megabytes: number, file: number): void {
  const descriptor = openSync(path, "w");
  for (const piece of publishedSession(megabytes * 1_000_000, file * 100_000)) writeSync(descriptor, piece);
  closeSync(descriptor);
}

async function readAll(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const parts = entriesInParts(join(folder, name), "");
    while ((await parts.next()).done !== true);
  }
}
