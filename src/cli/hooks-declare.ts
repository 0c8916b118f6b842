import { resolve } from "node:path";
import { printable } from "../base/printable.ts";
import { done, failed, type Result } from "../base/result.ts";
import { toolsUnknown } from "../core/reach.ts";
import { declareHooks, readDeclarationFile, type SourcedDeclaration } from "../core/registry.ts";
import { builtInDeclaration, builtInIds, presetDeclarations } from "../gates/declarations.ts";
import type { Command, Context, Given } from "./command.ts";

/** Tama's own gates; as a list of words it is offered by a shell's completion too. */
const offered = builtInIds();

export const command: Command = {
  usage: "hooks declare (--file <declaration.json> | --preset standalone|strict | <gate>)",
  about: "Switches hooks on for every session from its next event. Undo: tama hooks withdraw <id>.",
  example: "tama hooks declare --preset standalone",
  args: {
    file: { type: "string", valueHint: "file", description: "a declaration of your own (docs/hooks.md)" },
    preset: { type: "string", valueHint: "name", description: "a set of Tama's own gates" },
    gate: { type: "positional", required: false, description: offered.join(", ") },
  },
  run: async (context, given) => {
    const chosen = choose(context, given);
    if (chosen === null) {
      context.err(`tama hooks declare: name one of --file, --preset and a gate\nusage: tama ${command.usage}\n`);
      return 2;
    }
    const declared = chosen.ok ? await declareHooks(context.home, chosen.value, context.clock.iso()) : chosen;
    if (!declared.ok) {
      context.err(`hooks declare: ${declared.cause}\n`);
      return 1;
    }
    for (const { declaration } of chosen.ok ? chosen.value : []) {
      context.out(`declared ${declaration.id}: ${printable(declaration.says)}\n`);
      for (const tool of toolsUnknown(declaration))
        context.err(
          `hooks declare: no agent is known to have a tool ${JSON.stringify(tool)}; only calls of that very name reach ${declaration.id} by it\n`,
        );
    }
    return 0;
  },
};

function choose(context: Context, given: Given): Result<readonly SourcedDeclaration[]> | null {
  const file = given.text("file");
  const preset = given.text("preset");
  const gate = given.words[0];
  if ([file, preset, gate].filter((one) => one !== undefined).length !== 1) return null;
  if (file !== undefined) {
    const read = readDeclarationFile(resolve(context.cwd, file));
    return read.ok ? done([read.value]) : read;
  }
  if (preset !== undefined) return presetDeclarations(preset);
  const built = builtInDeclaration(gate ?? "");
  return built === null
    ? failed(
        `Tama carries no gate ${JSON.stringify(gate)}; there are ${offered.join(", ")}; your own hooks are declared with --file`,
      )
    : done([built]);
}
