import { homeAt } from "../disk/home.ts";
import { liftedBeside } from "../disk/lifted-beside.ts";
import type { HookEvent } from "../words/event.ts";
import type { Lifted } from "../words/kept-calls.ts";
import type { FactSources } from "./load-facts.ts";

/**
 * A session's agents work in the same files, yet each has a transcript of its own: what another one did stands only in the repeat rule's
 * records. @returns the newest time of it, ISO 8601, or null.
 */
export function changedBeside(sources: FactSources, event: HookEvent): string | null {
  const { session, agentId } = event.payload;
  if (session == null || session === "") return null;
  const lifted = liftedBeside(homeAt(sources.tamaHome), session, agentId == null || agentId === "" ? null : agentId);
  return newestOf(lifted);
}

/** The newest time at which any of these changed something or a person wrote; null = never. */
export function newestOf(lifted: readonly Lifted[]): string | null {
  const times = lifted.flatMap(({ change, person }) => [change, person].filter((at) => at !== undefined));
  return times.sort().at(-1) ?? null;
}
