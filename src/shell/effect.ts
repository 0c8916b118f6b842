import type { Effect } from "./effect-kind.ts";
import { type SimpleCommand, simpleCommands } from "./simple-commands.ts";

export type { Effect } from "./effect-kind.ts";

/** What running this shell line can do to the answers of later calls. */
export function shellEffect(line: string): Effect {
  const commands: readonly SimpleCommand[] | null = simpleCommands(line);
  return commands === null ? "unknown" : commands.length === 0 ? "reads" : "unknown";
}
