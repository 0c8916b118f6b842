import { release } from "../base/release.ts";
import { failed, type Result } from "../base/result.ts";
import { readCache, writeCache } from "../disk/cache-file.ts";
import { type Home, homeAt } from "../disk/home.ts";
import { readRecord } from "../disk/read-record.ts";
import { type Fold, type Reading, type ReadTo, readTranscript, type Saved } from "../transcript/resume.ts";
import type { HookEvent } from "../words/event.ts";
import { acceptedLinesSchema } from "../words/records.ts";

/** One session's transcript, or one subagent's own. */
export interface TranscriptOf {
  readonly home: Home;
  readonly path: string;
  readonly session: string | null;
  readonly agentId: string | null;
  readonly harness: string;
}

/** Null where the harness names no transcript. */
export function transcriptOf(tamaHome: string, event: HookEvent, harness: string): TranscriptOf | null {
  const { transcript, session, agentId } = event.payload;
  if (transcript == null || transcript === "") return null;
  return {
    home: homeAt(tamaHome),
    path: transcript,
    session: session == null || session === "" ? null : session,
    agentId: agentId == null || agentId === "" ? null : agentId,
    harness,
  };
}

/** From here on it is cheaper to keep how far one read than to read it again. Decides nothing. */
const worthKeeping = 64 * 1024;
/** Another release, or another form of what is kept, may fold otherwise: only its own readings are gone on from. */
const form = `${release}/4`;

/**
 * Reads a session's transcript through a fold, from where the last reading stopped. What is kept is a cache: missing, stale or damaged, it
 * only costs a reading from the start. A broken line that the operator accepted is passed over.
 */
export function readSession<State>(
  of: TranscriptOf,
  index: string | null,
  fold: Fold<State>,
): Result<ReadTo<State> | null> {
  const saved = index === null ? null : savedIn<State>(index);
  let accepted: ReadonlySet<number> = new Set();
  let reading = readFrom(of, fold, saved, accepted);
  if (reading.kind === "read" && reading.broken !== null) {
    const marks = acceptedBytes(of);
    if (!marks.ok) return marks;
    accepted = marks.value;
    if (accepted.has(reading.broken.byte)) reading = readFrom(of, fold, reading.saved, accepted);
  }
  if (reading.kind === "absent") return { ok: true, value: null };
  if (reading.kind === "unreadable") return failed(reading.cause);
  if (index !== null && isWorthKeeping(reading.saved, saved)) writeCache(index, { form, saved: reading.saved });
  return { ok: true, value: reading };
}

function readFrom<State>(
  of: TranscriptOf,
  fold: Fold<State>,
  saved: Saved<State> | null,
  accepted: ReadonlySet<number>,
): Reading<State> {
  return readTranscript({ path: of.path, harness: of.harness, accepted, fold, saved });
}

/** The bytes of this transcript's broken lines that were accepted. */
export function acceptedBytes(of: TranscriptOf): Result<ReadonlySet<number>> {
  if (of.session === null) return { ok: true, value: new Set() };
  const marks = readRecord(of.home.acceptedLines(of.session, of.agentId), acceptedLinesSchema);
  if (!marks.ok) return marks;
  const own = (marks.value?.accepted ?? []).filter((one) => one.path === of.path);
  return { ok: true, value: new Set(own.map((one) => one.byte)) };
}

function isWorthKeeping<State>(now: Saved<State>, before: Saved<State> | null): boolean {
  const from = before !== null && before.inode === now.inode && before.offset <= now.offset ? before.offset : 0;
  return now.offset - from >= worthKeeping;
}

function savedIn<State>(index: string): Saved<State> | null {
  const value = readCache(index);
  if (typeof value !== "object" || value === null || !("form" in value) || value.form !== form) return null;
  const saved = "saved" in value ? value.saved : null;
  return typeof saved === "object" && saved !== null && "state" in saved ? (saved as Saved<State>) : null;
}
