import { platform } from "./platform.ts";
import { endOwnChild } from "./signal.ts";
import { startedHere } from "./start.ts";

/**
 * Ends what hooks left behind. With the caller as subreaper, a process whose parents have ended becomes the caller's child, also one
 * that left its group by setsid and dropped its environment. Being uncollected, its number is its own, so it can be ended safely.
 * Ending one may bring its children; the loop goes on until none is left. `strangers` spares what the caller started itself.
 * Where orphans are not adopted, the members of the caller's own group are ended instead.
 *
 * @returns how many were ended, or null where the kernel does not show processes
 */
export function endAdopted(spared: readonly number[], which: "strangers" | "all"): number | null {
  let ended = 0;
  for (let round = 0; round < roundsMax; round++) {
    const found = platform.name === "linux" ? platform.ownChildren() : groupMembers();
    if (found === null) return null;
    const doomed = found.filter((pid) => !spared.includes(pid) && (which === "all" || !startedHere.has(pid)));
    if (doomed.length === 0) return ended;
    for (const pid of doomed) {
      const before = platform.startOf(pid);
      endOwnChild(pid);
      if (!startedHere.has(pid)) platform.reap(pid);
      if (before.kind === "started" && !before.ended) ended++;
    }
    Bun.sleepSync(1);
    if (which === "all" && round > 0) return ended;
  }
  return ended;
}

/** A fork bomb is met for two seconds; what then still lives is found again by its birth tag. */
const roundsMax = 2000;

function groupMembers(): readonly number[] | null {
  const all = platform.processes();
  if (all === null) return null;
  const group = platform.ownGroup();
  return all.filter((one) => one.group === group && one.pid !== process.pid && !one.ended).map((one) => one.pid);
}
