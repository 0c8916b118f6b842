import type { HarnessEntry } from "./entry.ts";

/** Whether the harness tells of a change that is no call's of the session: a job ended, or a file was changed behind its back. */
export function tellsOfChange({ about }: HarnessEntry): boolean {
  return about === "notice" || about === "edited";
}
