import { readSome } from "../base/descriptors.ts";
import { lineBytesMax } from "../base/limits.ts";
import { LineCutter } from "../base/lines.ts";
import { liveLong } from "../process/long-lived.ts";
import { gatesAsked } from "../replay/gates-asked.ts";
import { playAsked } from "../replay/part.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "replay-part --gates <ids>",
  about: "Plays the transcripts that `tama replay` asks for on stdin, one JSON line each (started by it only).",
  args: { gates: { type: "string", required: true, valueHint: "ids", description: "the gates, with commas" } },
  run: async (context, given) => {
    liveLong();
    const gates = await gatesAsked((given.text("gates") ?? "").split(","));
    const { userHome, cwd, environment, clock } = context;
    const sources = { tamaHome: context.home.root, userHome, cwd, environment, clock };
    await playAsked(linesOfInput(), gates, sources, (said) => context.out(`${JSON.stringify(said)}\n`));
    return 0;
  },
};

function* linesOfInput(): Generator<string> {
  const lines = new LineCutter(lineBytesMax);
  for (let chunk = readSome(0, chunkBytes); chunk.length > 0; chunk = readSome(0, chunkBytes))
    for (const line of lines.push(chunk)) if (line !== null) yield line.toString();
}

const chunkBytes = 64 * 1024;
