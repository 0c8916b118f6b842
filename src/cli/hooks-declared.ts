import { printable } from "../base/printable.ts";
import { readCatalog } from "../core/catalog.ts";
import { toolsReached } from "../core/reach.ts";
import { shownCatalog } from "../core/requests.ts";
import type { DeclaredHook } from "../words/declaration.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "hooks declared [--json]",
  about: "What is switched on, in the order it decides, and which tools of which harness each entry reaches.",
  args: { json: { type: "boolean", description: "the catalog as JSON" } },
  run: async (context, given) => {
    const catalog = readCatalog(context.home);
    if (!catalog.ok) {
      context.err(`hooks declared: ${catalog.cause}\n`);
      return 1;
    }
    const { hooks } = catalog.value;
    if (given.flag("json")) context.out(`${JSON.stringify(shownCatalog(catalog.value), null, 2)}\n`);
    else
      context.out(
        hooks.length === 0
          ? "nothing is declared: Tama keeps failed calls and judges nothing else\n"
          : hooks.map(described).join("\n"),
      );
    return 0;
  },
};

function described(hook: DeclaredHook): string {
  const program = "gate" in hook.program ? `built in: tama hook ${hook.program.gate}` : hook.program.command.join(" ");
  const reached = toolsReached(hook).map(
    (one) => `  ${one.event.padEnd(14)} ${one.agent.padEnd(5)} ${one.harness}: ${one.tools.join(", ")}`,
  );
  return [
    `${hook.id}  ${printable(hook.says)}`,
    `  ${printable(program)}  (${printable(hook.file)})`,
    ...reached,
    "",
  ].join("\n");
}
