import type { SessionReplay } from "./session-replay.ts";
import type { Totals } from "./totals.ts";

export function pageOf(sessions: readonly SessionReplay[], totals: Totals, at: string): string {
  return JSON.stringify({ sessions, totals, at });
}
