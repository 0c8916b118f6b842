import type { Clock } from "../base/clock.ts";
import { sayOnStderr } from "../base/descriptors.ts";
import { maskSecrets } from "../base/mask.ts";
import type { Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { linesHolding } from "../disk/lines-holding.ts";
import { readRecord } from "../disk/read-record.ts";
import { updateRecord } from "../disk/update-record.ts";
import { positionOf } from "../transcript/tail.ts";
import type { HookEvent } from "../words/event.ts";
import { type SessionRecord, sessionRecordSchema } from "../words/records.ts";
import type { Answer } from "../words/wire.ts";
import type { Catalog } from "./catalog.ts";
import type { Owner } from "./repeat/call.ts";

/** `sessions/<session>.json`: kept after the decision, so one that cannot be written is said on stderr and changes nothing. */
export interface SessionRecords {
  readonly read: (owner: Owner) => Result<SessionRecord | null>;
  /** Whether the record can be written, which is tried. */
  readonly canKeep: (owner: Owner) => Promise<Result<void>>;
  readonly note: (owner: Owner, event: HookEvent, answer: Answer, catalog: Catalog) => Promise<void>;
  /** Writes what was only remembered so far. */
  readonly flush: () => Promise<void>;
}

/**
 * A plain pass changes only when the session was last seen and how many calls it made. The log holds both, and a write costs more than the
 * rest of a decision; so a plain pass is written once a minute at most, else with the next event that says more, and the calls since the last
 * write are counted in the log then. That holds for a core of one event as for one that lives on.
 */
export function openSessionRecords(home: Home, harness: string, clock: Clock): SessionRecords {
  const sessions = new Map<string, Remembered>();
  const now = (): number => Date.parse(clock.iso());
  const read = (owner: Owner): Result<SessionRecord | null> =>
    readRecord(home.sessionRecord(owner.session, owner.agentId), sessionRecordSchema);
  const remembered = (owner: Owner): Remembered => {
    const key = JSON.stringify([owner.session, owner.agentId]);
    const known = sessions.get(key);
    if (known !== undefined) return known;
    const record = read(owner);
    const kept = record.ok ? record.value : null;
    const written = kept === null ? Number.NEGATIVE_INFINITY : Date.parse(kept.lastEvent.at);
    const fresh = { owner, changes: [], catalog: kept?.catalog.id ?? null, written };
    sessions.set(key, fresh);
    return fresh;
  };
  const write = async (session: Remembered): Promise<void> => {
    const { owner } = session;
    const changes = session.changes.splice(0);
    session.written = now();
    const path = home.sessionRecord(owner.session, owner.agentId);
    const kept = await updateRecord(path, sessionRecordSchema, (record) =>
      withCalls(
        home,
        owner,
        changes.reduce((next, change) => change(next), record ?? emptyRecord(owner, harness, clock.iso())),
      ),
    );
    if (!kept.ok) sayOnStderr(`tama: ${kept.cause}`);
  };
  const isDue = ({ written, changes }: Remembered): boolean =>
    !(Math.abs(now() - written) < plainPassMs) || changes.length >= pendingMax;
  return {
    read,
    canKeep: (owner) =>
      updateRecord(
        home.sessionRecord(owner.session, owner.agentId),
        sessionRecordSchema,
        (record) => record ?? emptyRecord(owner, harness, clock.iso()),
      ),
    note: async (owner, event, answer, catalog) => {
      const session = remembered(owner);
      session.changes.push(changeFor(event, answer, catalog, clock.iso()));
      const plain = !saysMore.has(event.event) && answer.ok && answer.verdict === "pass";
      if (plain && session.catalog === catalog.id && !isDue(session)) return;
      session.catalog = catalog.id;
      await write(session);
    },
    flush: async () => {
      for (const session of sessions.values()) if (session.changes.length > 0 && isDue(session)) await write(session);
    },
  };
}

/** What this core knows of a session's record. */
interface Remembered {
  readonly owner: Owner;
  readonly changes: ((record: SessionRecord) => SessionRecord)[];
  /** The catalog the record names; null where there is no record. */
  catalog: string | null;
  /** When it was last written, in milliseconds of the clock on the wall. */
  written: number;
}

const saysMore: ReadonlySet<string> = new Set(["stop", "session_start", "session_end", "before_provider", "compact"]);
const plainPassMs = 60_000;
const pendingMax = 256;
const refusalsMax = 50;
const stopsMax = 50;

function emptyRecord(owner: Owner, harness: string, at: string): SessionRecord {
  return {
    session: owner.session,
    harness,
    agentId: owner.agentId,
    cwd: null,
    transcript: null,
    firstSeen: at,
    lastEvent: { event: "none", at },
    catalog: { id: "", hooks: [] },
    calls: 0,
    refusals: [],
    blockedHookId: null,
    stops: [],
  };
}

/** With the calls that the log tells of since the record was last written. */
function withCalls(home: Home, owner: Owner, record: SessionRecord): SessionRecord {
  const from = record.logBytes ?? (record.calls === 0 ? 0 : Number.MAX_SAFE_INTEGER);
  const told = linesHolding(home.sessionLog(owner.session, owner.agentId), '"event":"tool_call"', from);
  if (!told.ok) return record;
  return { ...record, calls: record.calls + told.value.count, logBytes: told.value.end };
}

function changeFor(
  event: HookEvent,
  answer: Answer,
  catalog: Catalog,
  at: string,
): (record: SessionRecord) => SessionRecord {
  const { payload } = event;
  const refused = answer.ok && answer.verdict === "refuse" ? answer : null;
  const stop = event.event === "stop" ? stopOf(payload.transcript ?? null, answer, at) : null;
  return (record) => ({
    ...record,
    cwd: payload.cwd ?? record.cwd,
    transcript: payload.transcript ?? record.transcript,
    lastEvent: { event: event.event, at },
    catalog: { id: catalog.id, hooks: catalog.hooks.map((hook) => hook.id) },
    ...(refused === null
      ? {}
      : {
          refusals: [...record.refusals, { refusal: refused.refusal, at, by: refused.blockedHookId }].slice(
            -refusalsMax,
          ),
        }),
    ...(stop === null
      ? {}
      : {
          ...stop.released,
          transcriptBytes: stop.stood.transcriptBytes,
          blockedHookId: stop.stood.blockedHookId ?? null,
          stops: [...record.stops.map(withoutReason), stop.stood].slice(-stopsMax),
        }),
    ...(event.event === "before_provider"
      ? {
          beforeProvider: {
            verdict: answer.ok ? answer.verdict : "none",
            cause: masked(refused?.reason ?? (answer.ok ? null : "error" in answer ? answer.error : answer.reason)),
            at,
          },
        }
      : {}),
  });
}

type Stop = SessionRecord["stops"][number];

/**
 * Where the transcript stood at a stop, and what was decided: what the next stop is measured from. A released stop keeps the gates' own
 * decision beside its release, and is no refused one: the next refusal is given in full again.
 */
function stopOf(
  transcript: string | null,
  answer: Answer,
  at: string,
): { readonly stood: Stop; readonly released: Partial<SessionRecord> } {
  const found = transcript === null ? null : positionOf(transcript);
  if (found?.ok === false) sayOnStderr(`tama: cannot read the transcript ${transcript}: ${found.cause}`);
  const position = found?.ok === true ? found.value : null;
  const stood = { at, transcriptBytes: position?.bytes ?? null, lastEntry: position?.lastEntry ?? null };
  if (answer.ok && answer.verdict === "refuse") {
    const { blockedHookId, reason } = answer;
    return { stood: { ...stood, verdict: "refuse", blockedHookId, reason: maskSecrets(reason) }, released: {} };
  }
  const cycle = answer.ok ? answer.cycle : undefined;
  const providerRefusal = answer.ok ? answer.providerRefusal : undefined;
  const by = cycle ?? providerRefusal;
  return {
    stood: { ...stood, verdict: by === undefined ? "pass" : "released", blockedHookId: by?.blockedHookId ?? null },
    released: {
      ...(cycle === undefined ? {} : { cycle: { at, ...cycle } }),
      ...(providerRefusal === undefined ? {} : { providerRefusal: { at, ...providerRefusal } }),
    },
  };
}

function masked(text: string | null): string | null {
  return text === null ? null : maskSecrets(text);
}

/** Only the last stop is measured from; the others' words stand in the log. */
function withoutReason({ reason: _reason, ...stop }: Stop): Stop {
  return stop;
}
