import { systemClock } from "../base/clock.ts";
import { platform } from "./platform.ts";
import { endOwnChild } from "./signal.ts";
import { startedHere } from "./start.ts";

/**
 * Ends what hooks left behind. With the caller as subreaper, a process whose parents have ended becomes the caller's child, also one
 * that left its group by setsid and dropped its environment. Being uncollected, its number is its own, so it can be ended safely.
 * Ending one may bring its children, so the loop goes on until no stranger is left.
 */
export interface Adoption {
  /**
   * Ends and collects every adopted child. `false` = some were left: the kernel shows no children, one may not be signalled (it
   * changed its user), or they multiplied faster than they could be ended. The birth tag then finds them for `tama hooks running`.
   */
  readonly endStrangers: () => Promise<boolean>;
  /** Collects what remains of a group whose leader has been collected and all of which was killed. */
  readonly collectGroup: (leader: number) => Promise<void>;
}

export interface AdoptionRequest {
  /** Children of the caller's own making that are no left-overs. */
  readonly spared: readonly number[];
  /**
   * For a core: whoever started it may have given it children, and those stay with it. Every hook lives in a session of its supervisor's or of
   * its own making, never in the core's.
   */
  readonly sparesOwnSession: boolean;
}

/** Becomes the one to whom orphans come, where the kernel has such a one. Call it before anything is started. */
export function adoptOrphans({ spared, sparesOwnSession }: AdoptionRequest): Adoption {
  const ours = new Set([...spared, ...(sparesOwnSession ? (platform.ownChildren() ?? []) : [])]);
  const adopts = platform.adoptOrphans();
  const session = sparesOwnSession ? platform.sessionOf(process.pid) : null;
  const isStranger = (pid: number): boolean =>
    !startedHere.has(pid) && !ours.has(pid) && (session === null || platform.sessionOf(pid) !== session);
  const found = (): readonly number[] | null => (adopts ? platform.ownChildren() : groupMembers(sparesOwnSession));
  return {
    endStrangers: () => endAll(() => found()?.filter(isStranger) ?? null),
    collectGroup: async (leader) => {
      for (let round = 0; platform.collectFromGroup(leader) === "some"; round++) {
        if (round > roundsMax) return;
        await systemClock.sleep(1);
      }
    },
  };
}

async function endAll(strangers: () => readonly number[] | null): Promise<boolean> {
  let immune = 0;
  for (let round = 0; round < roundsMax; round++) {
    const found = strangers();
    if (found === null) return false;
    if (found.length === immune) return immune === 0;
    immune = 0;
    for (const pid of found) {
      if (!endOwnChild(pid)) immune++;
      platform.collect(pid);
    }
    await systemClock.sleep(1);
  }
  return false;
}

/** Some seconds against a fork bomb; what then still lives is found again by its birth tag. */
const roundsMax = 2000;

/** Where orphans go elsewhere, a supervisor can still end its own group; a core leads none of its hooks' groups. */
function groupMembers(isCore: boolean): readonly number[] | null {
  const all = isCore ? null : platform.processes();
  if (all === null) return null;
  const group = platform.ownGroup();
  return all.filter((one) => one.group === group && one.pid !== process.pid && !one.ended).map((one) => one.pid);
}
