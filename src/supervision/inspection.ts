import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import { done, type Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { isThere } from "../disk/is-there.ts";
import { listFolder } from "../disk/list-folder.ts";
import { type HeldLock, takeLock } from "../disk/lock-file.ts";
import { looksHeld, readLockedFile } from "../disk/locked-file.ts";
import { removeHarmless } from "../disk/remove-file.ts";
import { sweepTemporaries } from "../disk/replace-file.ts";
import { stillRuns } from "../process/identity.ts";
import { decodeInFlight, type RecordRead } from "./birth-reading.ts";
import { inspectLegacy, type LegacyProcesses } from "./legacy.ts";
import { type Descendant, type Survey, surveyProcesses } from "./survivors.ts";

/**
 * Who owns which hook now. Ownership is read from the birth record's lock, never guessed from a pid: a record whose lock is held belongs to
 * a living group; one whose lock is free has been let go by every process that had it. Survivors that closed the inherited lock are
 * found by their birth tag. Inspectors take turns, so that one's probe is not mistaken for a live supervisor by the next.
 */
export interface Inspection {
  readonly hooks: readonly InspectedHook[];
  readonly errors: readonly string[];
}

/** `coreAlive` null = not to be told from here, which is no sign of death. */
export interface InspectedHook {
  readonly hookBirthIdentity: string | null;
  readonly ownershipState: "owned" | "orphaned" | "legacy";
  readonly coreAlive: boolean | null;
  readonly pid: number;
  readonly pgid: number | null;
  readonly start: string | null;
  readonly hook: string | null;
  readonly command: string | null;
  readonly session: string | null;
  readonly dispatch: string | null;
  readonly descendants: readonly Descendant[];
  readonly progress: readonly string[];
}

export async function inspectHooks(home: Home): Promise<Inspection> {
  const turn = await takeInspectorsTurn(home);
  if (!turn.ok) return { hooks: [], errors: [turn.cause] };
  try {
    return await inspectInTurn(home);
  } finally {
    turn.value.release();
  }
}

/** Where there is no home yet nothing was ever started from one, and looking must not make it. */
export async function takeInspectorsTurn(home: Home): Promise<Result<HeldLock>> {
  if (!isThere(home.root)) return done({ release: () => {} });
  return await takeLock(home.inspectionLock, "another inspection of running hooks");
}

/** The inspection itself, for whoever holds the inspectors' lock. Removes records that everybody has let go, and begun ones. */
export async function inspectInTurn(home: Home): Promise<Inspection> {
  sweepTemporaries(home.inFlight, looksHeld);
  const listed = listFolder(home.inFlight, ".json");
  if (!listed.ok) return { hooks: [], errors: [listed.cause] };
  const held = new Set(listed.value.filter((name) => looksHeld(join(home.inFlight, name))));
  if (held.size > 0) await systemClock.sleep(2);
  const inspector: Inspector = { survey: surveyProcesses(), legacy: inspectLegacy(), held };
  const hooks: InspectedHook[] = [];
  const errors: string[] = [];
  for (const name of listed.value) {
    const inspected = inspectRecord(home.inFlight, name, inspector);
    if (!inspected.ok) errors.push(inspected.cause);
    else if (inspected.value !== null) hooks.push(inspected.value);
  }
  return { hooks, errors };
}

interface Inspector {
  readonly survey: Survey;
  readonly legacy: LegacyProcesses;
  /** Names of records that were held at the first look. */
  readonly held: ReadonlySet<string>;
}

/** One record. Vanished since it was listed = cleaned up by its core, which is done and no error. */
function inspectRecord(folder: string, name: string, inspector: Inspector): Result<InspectedHook | null> {
  const path = join(folder, name);
  const found = readLockedFile(path);
  if (!found.ok || found.value === null) return found.ok ? done(null) : found;
  const record = decodeInFlight(path, found.value.text);
  if (!record.ok) return record;
  if (record.value.kind === "legacy")
    return inspector.legacy.inspect(path, record.value.record, () => removeHarmless(path));
  return inspectBirth(path, record.value, found.value.held && inspector.held.has(name), inspector.survey);
}

function inspectBirth(
  path: string,
  record: RecordRead & { kind: "birth" },
  held: boolean,
  survey: Survey,
): Result<InspectedHook | null> {
  const { birth, assignment, progress } = record;
  const coreAlive = stillRuns(birth.core);
  // An idle member of a living core's pool is no hook, nor is one whose hook has ended and which waits to be ended.
  if (held && (assignment === null || record.ended) && coreAlive !== false) return done(null);
  const descendants = survey.descendants(birth, path);
  if (!held && descendants.length === 0) {
    const removed = removeHarmless(path);
    return removed.ok ? done(null) : removed;
  }
  return done({
    hookBirthIdentity: birth.hookBirthIdentity,
    ownershipState: held && coreAlive !== false ? "owned" : "orphaned",
    coreAlive,
    pid: birth.pid,
    pgid: birth.pgid,
    start: birth.start,
    hook: assignment?.hook ?? null,
    command: assignment?.command ?? null,
    session: assignment?.session ?? null,
    dispatch: assignment?.dispatch ?? null,
    descendants,
    progress,
  });
}
