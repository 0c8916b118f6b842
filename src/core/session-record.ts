import type { Clock } from "../base/clock.ts";
import { sayOnStderr } from "../base/descriptors.ts";
import type { Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
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
  readonly note: (owner: Owner, event: HookEvent, answer: Answer, catalog: Catalog) => Promise<void>;
  /** Writes what was only remembered so far. */
  readonly flush: () => Promise<void>;
}

/**
 * A plain pass changes only when the session was last seen and how many calls it made; that is remembered and written with the next
 * event that says more, or when the core ends, so that an admitted call costs no write here.
 */
export function openSessionRecords(home: Home, harness: string, clock: Clock): SessionRecords {
  const unwritten = new Map<
    string,
    { readonly owner: Owner; readonly changes: ((record: SessionRecord) => SessionRecord)[] }
  >();
  const catalogs = new Map<string, string>();
  const write = async (key: string): Promise<void> => {
    const pending = unwritten.get(key);
    unwritten.delete(key);
    if (pending === undefined) return;
    const { owner, changes } = pending;
    const path = home.sessionRecord(owner.session, owner.agentId);
    const kept = await updateRecord(path, sessionRecordSchema, (record) =>
      changes.reduce((next, change) => change(next), record ?? emptyRecord(owner, harness, clock.iso())),
    );
    if (!kept.ok) sayOnStderr(`tama: ${kept.cause}`);
  };
  return {
    read: (owner) => readRecord(home.sessionRecord(owner.session, owner.agentId), sessionRecordSchema),
    note: async (owner, event, answer, catalog) => {
      const key = JSON.stringify([owner.session, owner.agentId]);
      const pending = unwritten.get(key) ?? { owner, changes: [] };
      pending.changes.push(changeFor(event, answer, catalog, clock.iso()));
      unwritten.set(key, pending);
      const plain = event.event !== "stop" && event.event !== "session_start" && event.event !== "before_provider";
      if (
        plain &&
        answer.ok &&
        answer.verdict === "pass" &&
        catalogs.get(key) === catalog.id &&
        pending.changes.length < pendingMax
      )
        return;
      catalogs.set(key, catalog.id);
      await write(key);
    },
    flush: async () => {
      for (const key of [...unwritten.keys()]) await write(key);
    },
  };
}

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
    calls: record.calls + (event.event === "tool_call" ? 1 : 0),
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
            cause: refused?.reason ?? (answer.ok ? null : "error" in answer ? answer.error : answer.reason),
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
    return { stood: { ...stood, verdict: "refuse", blockedHookId, reason }, released: {} };
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

/** Only the last stop is measured from; the others' words stand in the log. */
function withoutReason({ reason: _reason, ...stop }: Stop): Stop {
  return stop;
}
