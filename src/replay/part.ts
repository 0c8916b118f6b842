import type { FactSources } from "../facts/load-facts.ts";
import type { GatesAsked } from "./gates-asked.ts";
import { playSession } from "./play-session.ts";
import type { SessionReplay } from "./session-replay.ts";

/** What a part is asked, one JSON object a line. */
export interface PartAsked {
  readonly path: string;
  readonly harness: string;
}

/** What it answers, one JSON object a line: how far it read, then the session. */
export type PartSaid = { readonly read: number } | { readonly session: SessionReplay };

/** Plays one transcript after another, as they are asked for, until nobody asks any more. */
export async function playAsked(
  lines: Iterable<string>,
  gates: GatesAsked,
  sources: FactSources,
  say: (said: PartSaid) => void,
): Promise<void> {
  let told = sources.clock.ticks();
  const onRead = (read: number): void => {
    const now = sources.clock.ticks();
    if (now - told < tellsEveryMs) return;
    told = now;
    say({ read });
  };
  for (const line of lines) {
    const { path, harness } = JSON.parse(line) as PartAsked;
    say({ session: await playSession({ path, harness, gates, sources, onRead }) });
  }
}

/** As often as a person sees how far it is. */
const tellsEveryMs = 100;
