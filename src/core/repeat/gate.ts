import { sayOnStderr } from "../../base/descriptors.ts";
import { done, failed, type Result } from "../../base/result.ts";
import { toolKind } from "../../calls/kind.ts";
import { admittedInPurgatory } from "../../shell/purgatory-commands.ts";
import { resultOfCall } from "../../transcript/result-of-call.ts";
import type { DeclaredHook } from "../../words/declaration.ts";
import type { KeptCall, StartedCall, StartedCalls } from "../../words/kept-calls.ts";
import type { Call, Owner } from "./call.ts";
import { closuresOf } from "./closures.ts";
import { decideRepeat, defectGateId } from "./decide.ts";
import { keptRefusal, keptUnanswered, released, releasedLooks } from "./keep.ts";
import { keepFacts } from "./keep-facts.ts";
import { forgetReleased, type ReleasedElsewhere, releasedByOther, tellOfPerson } from "./other-agents.ts";
import type { HeldCall } from "./refusal.ts";
import { dropCall, type SettleRequest, settleCall } from "./settle.ts";
import { standsBeside } from "./stands-beside.ts";
import { changeFailed, changeStarted, isFull, type RepeatSetting } from "./store.ts";
import { releasedByTold } from "./told-since.ts";

/**
 * The repeat rule over its records (spec: calls). Reading decides and may refuse; writing only keeps, and a write that fails is said on
 * stderr and leaves the decision. The one exception is a closure accounted for before a call runs: unaccounted, it would release for ever.
 */
export interface RepeatGate {
  readonly check: (owner: Owner, call: Call, catalog: CatalogInForce) => Promise<Check>;
  /** Keeps an admitted call as started. `alreadyReleased` = a change came behind it while its hooks were deciding. */
  readonly admit: (owner: Owner, call: Call, at: string, alreadyReleased: boolean) => Promise<void>;
  /** Writes the closures an admitted call accounts for; it must not run while this has failed. */
  readonly account: (owner: Owner, call: Call, closures: readonly string[]) => Promise<Result<void>>;
  readonly keepRefusal: (owner: Owner, call: Call, refusal: GateRefusal, catalog: CatalogInForce) => Promise<void>;
  readonly settle: (owner: Owner, call: Call, result: SettleRequest, catalog: CatalogInForce) => Promise<boolean>;
  /** Forgets a call that stood in an answer which the harness asked for anew. */
  readonly drop: (owner: Owner, call: Call) => Promise<void>;
  /** @returns whether a person's message releases anything under this setting */
  readonly personWrote: (owner: Owner) => Promise<boolean>;
  /** The model forgot what it had seen. */
  readonly compacted: (owner: Owner) => Promise<void>;
}

export interface CatalogInForce {
  readonly id: string;
  readonly hooks: readonly DeclaredHook[];
}

export interface GateRefusal {
  readonly at: string;
  readonly reason: string;
  readonly hook: string;
}

export type Check =
  | { readonly kind: "admit"; readonly account?: readonly string[] }
  | ({ readonly kind: "held" } & HeldCall)
  /** `broken` = the record that cannot be read, for whoever may move it aside. */
  | { readonly kind: "fault"; readonly cause: string; readonly broken?: string };

export function openRepeatGate(setting: RepeatSetting): RepeatGate {
  return {
    check: (owner, call, catalog) => check(setting, owner, call, catalog),
    admit: (owner, call, at, alreadyReleased) => admit(setting, owner, call, at, alreadyReleased),
    account: (owner, call, closures) => accountFor(setting, owner, call, closures),
    keepRefusal: (owner, call, refusal, catalog) => keepRefusal(setting, owner, call, refusal, catalog),
    settle: (owner, call, result, catalog) =>
      settleCall(setting, owner, call, result, keepFacts(setting, call, catalog)),
    drop: (owner, call) => dropCall(setting, owner, call),
    personWrote: async (owner) => {
      if (!isFull(setting)) return false;
      await changeFailed(setting, owner, (record) => released(record, { by: "person" }));
      await tellOfPerson(setting, owner);
      return true;
    },
    compacted: async (owner) => {
      if (!isFull(setting)) return;
      await changeFailed(setting, owner, releasedLooks);
      // What a compaction cut off is asked again by a model that forgot it asked; a file that is read cannot hang.
      await changeStarted(setting, owner, (record) => withReadsReleased(setting, record));
    },
  };
}

async function check(setting: RepeatSetting, owner: Owner, call: Call, catalog: CatalogInForce): Promise<Check> {
  if (call.effect === "waits") return { kind: "admit" };
  if (call.line !== null && admittedInPurgatory(call.line, owner.session)) return { kind: "admit" };
  const { records } = setting;
  const settings = records.settings();
  if (!settings.ok) return fault(settings.cause, records.pathOf("settings", owner));
  const started = records.started(owner);
  if (!started.ok) return fault(started.cause, records.pathOf("started", owner));
  const sends = started.value?.calls[call.id] ?? [];
  const settledNow = sends.length === 0 ? noSends : await settleFromTranscript(setting, owner, call, sends, catalog);
  if (!settledNow.ok) return fault(settledNow.cause);
  const failedCalls = records.failed(owner);
  if (!failedCalls.ok) return fault(failedCalls.cause, records.pathOf("failed", owner));
  const earlier = failedCalls.value?.calls[call.id];
  const unanswered = settledNow.value[0];
  if (unanswered === undefined && earlier === undefined) return { kind: "admit" };
  return await judge(setting, owner, call, catalog, { earlier, unanswered, alone: isAlone(started.value, call) });
}

/** Most calls are sent for the first time. */
const noSends = done<readonly StartedCall[]>([]);

interface Standing {
  readonly earlier: KeptCall | undefined;
  readonly unanswered: StartedCall | undefined;
  readonly alone: boolean;
}

async function judge(
  setting: RepeatSetting,
  owner: Owner,
  call: Call,
  catalog: CatalogInForce,
  standing: Standing,
): Promise<Check> {
  const register = setting.records.register();
  if (!register.ok) return fault(register.cause, setting.records.pathOf("register", owner));
  const answers = setting.records.answers();
  if (!answers.ok) return fault(answers.cause, setting.records.pathOf("answers", owner));
  const closures = closuresOf(register.value, call);
  const kept =
    standing.unanswered === undefined
      ? standing.earlier
      : keptUnanswered(
          standing.earlier,
          { catalog: catalog.id, answers: answers.value, closures },
          standing.unanswered,
          null,
        );
  if (kept === undefined) return { kind: "admit" };
  if (standing.unanswered !== undefined) await keepUnanswered(setting, owner, call, kept);
  const decision = decideRepeat(kept, call, {
    catalog: catalog.id,
    answers: answers.value,
    register: register.value,
    defectGate: catalog.hooks.some((hook) => hook.id === defectGateId),
    alone: standing.alone && isFull(setting),
  });
  const listed = decision.list === undefined ? null : await accountFor(setting, owner, call, decision.list);
  if (listed?.ok === false) sayOnStderr(`tama: ${listed.cause}`);
  if (decision.kind === "admit") return decision.account === undefined ? { kind: "admit" } : decision;
  const elsewhere = decision.binding === undefined ? await releasedElsewhere(setting, owner, call, kept) : null;
  if (elsewhere !== null) {
    await forgetReleased(setting, owner, call.id, elsewhere);
    return { kind: "admit" };
  }
  const shown = decision.list === undefined ? kept : { ...kept, closures: [...decision.list] };
  const anyChange = isFull(setting);
  return {
    kind: "held",
    kept: shown,
    anyChange,
    ...(decision.binding === undefined ? {} : { binding: decision.binding }),
  };
}

/** What released a call without an event of its owner's own. */
async function releasedElsewhere(
  setting: RepeatSetting,
  owner: Owner,
  call: Call,
  kept: KeptCall,
): Promise<ReleasedElsewhere | null> {
  const other = await releasedByOther(setting, owner, call.id, kept);
  if (other !== null) return other;
  const told = setting.toldSince?.(kept) ?? releasedByTold(setting, call, kept);
  return told ? { spends: false } : null;
}

function fault(cause: string, broken?: string): Check {
  return { kind: "fault", cause, ...(broken === undefined ? {} : { broken }) };
}

/**
 * The unsettled earlier sends of a call that count as unanswered. Before one is called that for want of a result event, the transcript is
 * asked: a harness reports no event for a call a person denied, and a result may have been lost with a killed core.
 */
async function settleFromTranscript(
  setting: RepeatSetting,
  owner: Owner,
  call: Call,
  sends: readonly StartedCall[],
  catalog: CatalogInForce,
): Promise<Result<readonly StartedCall[]>> {
  const unsettled: StartedCall[] = [];
  for (const one of sends) {
    if (one.released === true || (one.message !== null && one.message === call.message)) continue;
    if (one.harnessCall === null || call.transcript === null || one.harnessCall === call.harnessCall) {
      unsettled.push(one);
      continue;
    }
    const found = resultOfCall(call.transcript, one.harnessCall);
    if (!found.ok) return failed(found.cause);
    if (found.value === null) {
      if (!(await standsBeside(setting, call, one))) unsettled.push(one);
    } else {
      const earlier: Call = { ...call, harnessCall: one.harnessCall, message: one.message };
      await settleCall(
        setting,
        owner,
        earlier,
        { ...found.value, at: setting.clock.iso() },
        keepFacts(setting, call, catalog),
      );
    }
  }
  return done(unsettled);
}

function withReadsReleased(setting: RepeatSetting, record: StartedCalls): StartedCalls {
  const isRead = (tool: string): boolean => ["read", "search"].includes(toolKind(setting.harness, tool));
  const calls = Object.entries(record.calls).map(
    ([id, sends]) => [id, sends.map((one) => (isRead(one.tool) ? { ...one, released: true } : one))] as const,
  );
  return { ...record, calls: Object.fromEntries(calls) };
}

function isAlone(started: StartedCalls | null, call: Call): boolean {
  const newest = started?.newest;
  if (newest === undefined || call.message === null || newest.message !== call.message) return true;
  return newest.calls.every((one) => one.harnessCall !== null && one.harnessCall === call.harnessCall);
}

async function keepUnanswered(setting: RepeatSetting, owner: Owner, call: Call, kept: KeptCall): Promise<void> {
  await changeFailed(setting, owner, (record) => ({ ...record, calls: { ...record.calls, [call.id]: kept } }));
  await changeStarted(setting, owner, (record) => {
    const { [call.id]: _settled, ...calls } = record.calls;
    return { ...record, calls };
  });
}

function accountFor(
  setting: RepeatSetting,
  owner: Owner,
  call: Call,
  closures: readonly string[],
): Promise<Result<void>> {
  return setting.records.changeFailed(owner, (record) => {
    const kept = record.calls[call.id];
    if (kept === undefined) return record;
    return { ...record, calls: { ...record.calls, [call.id]: { ...kept, closures: [...closures] } } };
  });
}

function admit(setting: RepeatSetting, owner: Owner, call: Call, at: string, alreadyReleased: boolean): Promise<void> {
  if (call.effect === "waits") return Promise.resolve();
  return changeStarted(setting, owner, (record) => {
    const entry = {
      tool: call.tool,
      at,
      harnessCall: call.harnessCall,
      message: call.message,
      ...(alreadyReleased ? { released: true } : {}),
    };
    const before = (record.calls[call.id] ?? []).filter((one) => one.released !== true);
    return { ...record, ...withNewest(record, call), calls: { ...record.calls, [call.id]: [...before, entry] } };
  });
}

/** Only the newest message's calls are remembered: a sibling is a call of the same message. */
function withNewest(record: StartedCalls, call: Call): Pick<StartedCalls, "newest"> {
  if (call.message === null) return {};
  const earlier = record.newest?.message === call.message ? record.newest.calls : [];
  const look = call.effect === "reads";
  return {
    newest: { message: call.message, calls: [...earlier, { call: call.id, harnessCall: call.harnessCall, look }] },
  };
}

async function keepRefusal(
  setting: RepeatSetting,
  owner: Owner,
  call: Call,
  refusal: GateRefusal,
  catalog: CatalogInForce,
): Promise<void> {
  if (call.effect === "waits") return;
  const facts = keepFacts(setting, call, catalog)();
  await changeFailed(setting, owner, (record) => {
    const kept = keptRefusal(record.calls[call.id], { ...facts, ...refusal, tool: call.tool });
    return { ...record, calls: { ...record.calls, [call.id]: kept } };
  });
}
