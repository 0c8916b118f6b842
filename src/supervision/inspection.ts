import { join } from "node:path";
import * as v from "valibot";
import { systemClock } from "../base/clock.ts";
import { sayOnStderr } from "../base/descriptors.ts";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { listFolder } from "../disk/list-folder.ts";
import { takeLock } from "../disk/lock-file.ts";
import { readLockedFile } from "../disk/locked-file.ts";
import { removeFile } from "../disk/remove-file.ts";
import { stillRuns } from "../process/identity.ts";
import { type Process, platform } from "../process/platform.ts";
import { endRecorded } from "../process/signal.ts";
import {
  type AssignmentLine,
  assignmentLineSchema,
  type Birth,
  birthSchema,
  legacyRecordSchema,
  progressLineSchema,
} from "../words/records.ts";
import { inspectLegacy, type LegacyProcesses } from "./legacy.ts";

/**
 * Who owns which hook now. Ownership is read from the birth record's lock, never guessed from a pid: a record whose lock is held belongs to
 * a living group; one whose lock is free has been let go by every process that had it. Survivors that closed the inherited lock are
 * found by their birth tag. Inspectors take turns, so that one's probe is not mistaken for a live supervisor by the next.
 */
export interface Inspection {
  readonly hooks: readonly InspectedHook[];
  readonly errors: readonly string[];
}

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

export interface Descendant {
  readonly pid: number;
  readonly start: string;
  readonly command: string;
}

export async function inspectHooks(home: Home): Promise<Inspection> {
  const lock = await takeLock(home.inspectionLock, "another inspection of running hooks");
  if (!lock.ok) return { hooks: [], errors: [lock.cause] };
  try {
    return inspectAll(home);
  } finally {
    lock.value.release();
  }
}

/** One ended orphan process: a signal sent is not yet an end seen, so both stand apart. */
export interface Termination {
  readonly hookBirthIdentity: string | null;
  readonly pid: number;
  readonly start: string | null;
  readonly signal: "sent" | "gone" | "refused";
  readonly cause: string | null;
  readonly endSeen: boolean;
}

export async function endOrphans(
  home: Home,
): Promise<{ readonly terminations: readonly Termination[]; readonly errors: readonly string[] }> {
  const lock = await takeLock(home.inspectionLock, "another inspection of running hooks");
  if (!lock.ok) return { terminations: [], errors: [lock.cause] };
  try {
    const before = inspectAll(home);
    const terminations: Termination[] = [];
    for (const hook of before.hooks.filter((one) => one.ownershipState !== "owned"))
      terminations.push(...(await endHook(hook)));
    const after = inspectAll(home);
    return { terminations, errors: after.errors };
  } finally {
    lock.value.release();
  }
}

/** Ends every process positively known as this hook's, again while new ones of its birth appear. */
async function endHook(hook: InspectedHook): Promise<readonly Termination[]> {
  const own = hook.pid > 0 ? [{ pid: hook.pid, start: hook.start, command: hook.command ?? "" }] : [];
  const doomed = [...own, ...hook.descendants.filter((one) => one.pid !== hook.pid)];
  const sent = doomed.map(({ pid, start }) => {
    const result = endRecorded({ pid, start });
    return {
      pid,
      start,
      signal: result.ok ? result.value : ("refused" as const),
      cause: result.ok ? null : result.cause,
    };
  });
  const outcomes: Termination[] = [];
  for (const one of sent) {
    const endSeen = one.signal === "refused" ? false : await seenEnded(one.pid, one.start);
    outcomes.push({ hookBirthIdentity: hook.hookBirthIdentity, ...one, endSeen });
  }
  return outcomes.filter((one) => one.signal !== "gone" || outcomes.length === 1);
}

/** A killed process needs a moment; one still there after two seconds is said to be not yet seen ended. */
async function seenEnded(pid: number, start: string | null): Promise<boolean> {
  for (let look = 0; look < 200; look++) {
    if (stillRuns({ pid, start }) === false) return true;
    await systemClock.sleep(10);
  }
  return false;
}

function inspectAll(home: Home): Inspection {
  const errors: string[] = [];
  const hooks: InspectedHook[] = [];
  const legacy = inspectLegacy();
  const all = once(() => platform.processes());
  const names = listFolder(home.inFlight, ".json");
  if (!names.ok) return { hooks, errors: [names.cause] };
  for (const name of names.value) {
    const inspected = inspectRecord(join(home.inFlight, name), all, legacy);
    if (!inspected.ok) errors.push(inspected.cause);
    else if (inspected.value !== null) hooks.push(inspected.value);
  }
  return { hooks, errors };
}

/** One record. Vanished since it was listed = cleaned up by its core, which is done and no error. */
function inspectRecord(
  path: string,
  all: () => readonly Process[] | null,
  legacy: LegacyProcesses,
): Result<InspectedHook | null> {
  const found = readLockedFile(path);
  if (!found.ok || found.value === null) return found.ok ? done(null) : found;
  const record = decodeRecord(path, found.value.text);
  if (!record.ok) return record;
  if ("legacy" in record.value) return legacy.inspect(path, record.value.legacy, () => removeFile(path));
  return inspectBirth(path, record.value, found.value.held, all);
}

interface BirthRecordRead {
  readonly birth: Birth;
  readonly assignment: AssignmentLine | null;
  readonly progress: readonly string[];
}

function inspectBirth(
  path: string,
  record: BirthRecordRead,
  held: boolean,
  all: () => readonly Process[] | null,
): Result<InspectedHook | null> {
  const { birth, assignment, progress } = record;
  if (held && assignment === null) return done(null);
  const tagged = survivorsOf(birth, all());
  if (!held && tagged.length === 0) {
    const removed = removeFile(path);
    return removed.ok ? done(null) : removed;
  }
  const coreAlive = stillRuns(birth.core);
  const leads = stillRuns({ pid: birth.pid, start: birth.start }) !== false;
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
    descendants: tagged.filter((one) => !leads || one.pid !== birth.pid),
    progress,
  });
}

/** Living processes started with this birth's tag. Reading an environment needs the same user, which hooks have. */
function survivorsOf(birth: Birth, all: readonly Process[] | null): readonly Descendant[] {
  if (all === null) return [];
  return all
    .filter((one) => !one.ended && platform.birthTagOf(one.pid) === birth.hookBirthIdentity)
    .map(({ pid, start, command }) => ({ pid, start, command }));
}

function decodeRecord(
  path: string,
  text: string,
): Result<BirthRecordRead | { readonly legacy: v.InferOutput<typeof legacyRecordSchema> }> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  try {
    const values: unknown[] = lines.map((line): unknown => JSON.parse(line));
    const first = values[0];
    const birth = v.safeParse(birthSchema, first);
    if (birth.success) {
      const rest = values.slice(1);
      const assignment = v.safeParse(assignmentLineSchema, rest[0]);
      const progress = rest.flatMap((value) => {
        const line = v.safeParse(progressLineSchema, value);
        return line.success ? [line.output.progress] : [];
      });
      return done({ birth: birth.output, assignment: assignment.success ? assignment.output : null, progress });
    }
    const old = v.safeParse(legacyRecordSchema, first);
    if (old.success) return done({ legacy: old.output });
    return failed(`cannot decode ${path}: ${birth.issues[0].message}`);
  } catch (thrown) {
    return decodeLegacyDocument(path, text, thrown);
  }
}

/** Old records were one document over several lines. */
function decodeLegacyDocument(
  path: string,
  text: string,
  thrown: unknown,
): Result<{ readonly legacy: v.InferOutput<typeof legacyRecordSchema> }> {
  try {
    const value: unknown = JSON.parse(text);
    const old = v.safeParse(legacyRecordSchema, value);
    if (old.success) return done({ legacy: old.output });
  } catch {
    // The first cause names the line.
  }
  return failed(`cannot decode ${path}: ${causeOf(thrown)}`);
}

/** What a core does when it starts: ends what dead cores left, and says so. Errors stay for whoever inspects. */
export async function endLeftBehind(home: Home): Promise<void> {
  const ended = await endOrphans(home);
  for (const one of ended.terminations) {
    if (one.signal === "sent")
      sayOnStderr(
        `tama: ended process ${one.pid}, left behind by a core that is gone (birth ${one.hookBirthIdentity ?? "unknown"})`,
      );
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
