import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entriesInParts } from "../../src/transcript/entries-in-parts.ts";
import { type Happening, writtenTranscript } from "../cases/written-transcript.ts";
import { makeWorld } from "../journeys/tama-command.ts";
import { inTurn, type Row, rowOf, timed } from "./figures.ts";
import type { Ground } from "./ground.ts";

/**
 * `tama replay` of a folder beside the transcript reader alone over the same files in this process: half its speed is twice its time. The
 * sessions are written with as many bytes a call as published ones have (some 14 KB), looks and changes by turns.
 */
export async function replaying({ binary, rounds }: Ground): Promise<readonly Row[]> {
  const world = makeWorld();
  try {
    const folder = join(world.root, "sessions");
    mkdirSync(folder);
    for (let file = 0; file < files; file++)
      writeFileSync(join(folder, `${file}.jsonl`), writtenTranscript("claude-code", story(file)));
    const replay = async (): Promise<number> =>
      await timed(async () => {
        const command = [binary, "replay", folder, "--json"];
        const child = Bun.spawn(command, { env: { ...world.environment }, stdout: "ignore", stderr: "ignore" });
        if ((await child.exited) !== 0) throw new Error("tama replay failed");
      });
    const samples = await inTurn(Math.max(3, Math.round(rounds / 20)), replay, () => timed(() => readAll(folder)));
    return [rowOf({ name: "replay of 16 sessions", beside: "reading them", samples, times: 2 })];
  } finally {
    world.remove();
  }
}

const files = 16;
const callsPerFile = 400;

function story(file: number): readonly Happening[] {
  return Array.from({ length: callsPerFile }, (_one, at): Happening => {
    const command = at % 4 === 0 ? `sed -i s/a/b/ src/f${at}.ts` : `grep -rn "name${at}" src/f${file} | head -20`;
    const text = `${at}: ${"a line of what a program prints, with words in it\n".repeat(270)}`;
    return { call: { tool: "bash", input: { command } }, answer: { isError: at % 17 === 0, text } };
  });
}

async function readAll(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const parts = entriesInParts(join(folder, name), "");
    while ((await parts.next()).done !== true);
  }
}
