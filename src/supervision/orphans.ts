import { systemClock } from "../base/clock.ts";
import type { Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { type HeldLock, takeFreeLock } from "../disk/lock-file.ts";
import { type Incarnation, stillRuns } from "../process/identity.ts";
import { endRecorded } from "../process/signal.ts";
import { type InspectedHook, type Inspection, inspectInTurn, takeInspectorsTurn } from "./inspection.ts";

/** What became of one orphan process: a signal sent is not yet an end seen, so both stand apart. */
export interface Termination {
  readonly hookBirthIdentity: string | null;
  readonly pid: number;
  readonly start: string | null;
  readonly signal: "sent" | "gone" | "refused";
  readonly cause: string | null;
  readonly endSeen: boolean;
}

export interface OrphansEnded {
  readonly terminations: readonly Termination[];
  readonly errors: readonly string[];
}

/**
 * Ends every process positively known as an orphaned hook's, and looks again until an inspection finds none: what is killed may have
 * started another meanwhile. Hooks of living cores, and processes that only have a recorded number, are never signalled.
 */
export async function endOrphans(home: Home): Promise<OrphansEnded> {
  return await endUnder(home, await takeInspectorsTurn(home));
}

/** The same, but null at once while another inspection is under way: nothing may wait for one whose process was stopped. */
export async function endOrphansUnlessInspected(home: Home): Promise<OrphansEnded | null> {
  const turn = takeFreeLock(home.inspectionLock);
  return turn.ok && turn.value === null ? null : await endUnder(home, turn);
}

async function endUnder(home: Home, turn: Result<HeldLock | null>): Promise<OrphansEnded> {
  if (!turn.ok) return { terminations: [], errors: [turn.cause] };
  try {
    return await endInTurn(home);
  } finally {
    turn.value?.release();
  }
}

async function endInTurn(home: Home): Promise<OrphansEnded> {
  const outcomes = new Map<string, Termination>();
  let inspection = await inspectInTurn(home);
  for (let round = 0; round < roundsMax; round++) {
    const doomed = orphansIn(inspection).filter((one) => outcomes.get(nameOf(one))?.signal !== "refused");
    if (doomed.length === 0) break;
    for (const one of await endThem(doomed)) outcomes.set(nameOf(one), one);
    inspection = await inspectInTurn(home);
  }
  return { terminations: [...outcomes.values()], errors: inspection.errors };
}

/** Against an orphan that goes on multiplying: then its newest ends are said to be not seen. */
const roundsMax = 50;

interface Doomed extends Incarnation {
  readonly birth: string | null;
}

function orphansIn(inspection: Inspection): readonly Doomed[] {
  return inspection.hooks.filter((hook) => hook.ownershipState !== "owned").flatMap(processesOf);
}

/** The supervisor itself, where it still runs, and all that its hook runs. */
function processesOf(hook: InspectedHook): readonly Doomed[] {
  const birth = hook.hookBirthIdentity;
  const supervisor = stillRuns(hook) === false ? [] : [{ birth, pid: hook.pid, start: hook.start }];
  return [...supervisor, ...hook.descendants.map(({ pid, start }) => ({ birth, pid, start }))];
}

function nameOf(one: { readonly pid: number; readonly start: string | null }): string {
  return `${one.pid} ${one.start}`;
}

async function endThem(doomed: readonly Doomed[]): Promise<readonly Termination[]> {
  const sent = doomed.map((one) => ({ one, result: one.birth === null ? noProof : endRecorded(one) }));
  return await Promise.all(
    sent.map(async ({ one, result }) => ({
      hookBirthIdentity: one.birth,
      pid: one.pid,
      start: one.start,
      signal: result.ok ? result.value : ("refused" as const),
      cause: result.ok ? null : result.cause,
      endSeen: result.ok && (await seenEnded(one)),
    })),
  );
}

const noProof = { ok: false, cause: "a record without a birth names a number only, so nothing is signalled" } as const;

/** A killed process needs a moment; one still there after two seconds is said to be not yet seen ended. */
async function seenEnded(one: Incarnation): Promise<boolean> {
  for (let look = 0; look < 200; look++) {
    if (stillRuns(one) === false) return true;
    await systemClock.sleep(10);
  }
  return false;
}
