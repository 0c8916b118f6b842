import { printableRow } from "../base/printable.ts";
import { type InspectedHook, inspectHooks } from "../supervision/inspection.ts";
import { endOrphans, type Termination } from "../supervision/orphans.ts";
import type { Command, Context } from "./command.ts";

export const command: Command = {
  usage: "hooks running [--json] [--end-orphans]",
  about:
    "The hooks that run now: whose they are, what they started, what they said. Ownership is read from locks, not guessed from pids.",
  example: "tama hooks running --end-orphans",
  args: {
    json: { type: "boolean", description: "the inspection as JSON" },
    "end-orphans": { type: "boolean", description: "end the hooks whose core is gone, and say what became of each" },
  },
  run: async (context, given) => {
    if (given.flag("end-orphans") || given.flag("endOrphans")) return await end(context, given.flag("json"));
    const inspection = await inspectHooks(context.home);
    if (given.flag("json")) context.out(`${JSON.stringify(inspection, null, 2)}\n`);
    else
      context.out(
        inspection.hooks.length === 0 && inspection.errors.length === 0
          ? "no hook is running\n"
          : inspection.hooks.map(described).join(""),
      );
    return report(context, inspection.errors, given.flag("json"));
  },
};

async function end(context: Context, json: boolean): Promise<number> {
  const ended = await endOrphans(context.home);
  if (json) context.out(`${JSON.stringify(ended, null, 2)}\n`);
  else if (ended.terminations.length === 0) context.out("no orphaned hook was found\n");
  else context.out(ended.terminations.map(outcome).join(""));
  const unfinished = ended.terminations.some((one) => !one.endSeen);
  return Math.max(report(context, ended.errors, json), unfinished ? 1 : 0);
}

function report(context: Context, errors: readonly string[], json: boolean): number {
  if (!json) for (const error of errors) context.err(`hooks running: ${error}\n`);
  return errors.length === 0 ? 0 : 1;
}

function described(hook: InspectedHook): string {
  const lines = [
    `${hook.hook ?? "unknown hook"}  ${hook.ownershipState}  pid ${hook.pid}${hook.session === null ? "" : `  session ${printableRow(hook.session)}`}`,
    ...(hook.command === null ? [] : [`  ${printableRow(hook.command)}`]),
    ...hook.descendants.map((one) => `  └ ${one.pid} ${printableRow(one.command)}`),
    ...hook.progress.slice(-3).map((line) => `  · ${printableRow(line)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** A signal sent is not presented as an end seen. */
function outcome(one: Termination): string {
  const signal =
    one.signal === "refused" ? `not signalled: ${one.cause}` : one.signal === "gone" ? "already gone" : "signal sent";
  return `process ${one.pid}: ${signal}; ${one.endSeen ? "its end was seen" : "its end was not seen yet"}\n`;
}
