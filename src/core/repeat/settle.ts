import { planPart } from "../../calls/call-effect.ts";
import { type Meaning, resultMeaning, tellsOfAnEnd, tellsOfNews } from "../../calls/result-meaning.ts";
import { startsAgent } from "../../calls/starts-agent.ts";
import type { FailedCalls, StartedCall, StartedCalls } from "../../words/kept-calls.ts";
import type { Call, Owner } from "./call.ts";
import { keepsNothing, keptFailure, keptUnanswered, type Release, released, releasedLooks } from "./keep.ts";
import { withLifted } from "./other-agents.ts";
import { changeFailed, changeStarted, isFull, type KeepFacts, type RepeatSetting } from "./store.ts";

type EffectRelease = Release & { readonly by: "effect" };

/** A result as it reaches the core, by event or by transcript. */
export interface SettleRequest {
  readonly isError: boolean;
  readonly text: string;
  readonly details: unknown;
  readonly at: string;
}

/**
 * Settles a call by its result: forgets it, keeps it as failed or unanswered, and lifts what its having run could have changed. The
 * harness's call id says which send it answers; identity only where there is none.
 *
 * @returns whether it was a change that lifts other calls
 */
export async function settleCall(
  setting: RepeatSetting,
  owner: Owner,
  call: Call,
  result: SettleRequest,
  facts: () => KeepFacts,
): Promise<boolean> {
  const meaning = resultMeaning({
    harness: setting.harness,
    tool: call.tool,
    text: result.text,
    isError: result.isError,
    details: result.details,
  });
  const record = setting.records.failed(owner);
  const kept = record.ok ? record.value : null;
  const known: string = lateId(kept, call) ?? call.id;
  const standing = kept !== null && (kept.calls[known]?.by === "failed" || kept.spent.includes(known));
  const release =
    call.effect === "waits"
      ? releaseOfWait(setting, call, meaning, result)
      : releaseOf(setting, call, meaning, standing, known);
  if (call.effect === "waits" && meaning.kind !== "never-ran" && isFull(setting))
    await changeFailed(setting, owner, releasedLooks);
  let settled: SettledStart = { id: known, found: null, besideWork: false };
  await changeStarted(setting, owner, (started) => {
    settled = settledStart(started, call, known);
    return withoutSettled(started, settled, call, release, result.at);
  });
  if (meaning.kind === "never-ran") return false;
  const besideWork = settled.besideWork && isFull(setting);
  const keeping = { call, id: settled.id, meaning, result, facts, send: settled.found?.send ?? null, besideWork };
  await changeFailed(setting, owner, (failed) => settledRecord(failed, keeping, release, isFull(setting)));
  return release !== null;
}

/** Forgets the send of a call that stood in an answer which the harness threw away and asked for anew: nobody is given its result. */
export async function dropCall(setting: RepeatSetting, owner: Owner, call: Call): Promise<void> {
  await changeStarted(setting, owner, (started) => withoutSend(started, findSend(started, call, call.id), null));
}

interface SettledStart {
  readonly id: string;
  readonly found: FoundSend | null;
  readonly besideWork: boolean;
}

/** Finds the send a result answers among the started calls. */
function settledStart(started: StartedCalls, call: Call, id: string): SettledStart {
  const found = findSend(started, call, id);
  const besideWork = isBesideWork(started, call, found?.send.message ?? call.message);
  return { id: found?.id ?? id, found, besideWork };
}

/** Takes that send out of the started calls, and marks the others as released where the result is a change. */
function withoutSettled(
  started: StartedCalls,
  { id, found }: SettledStart,
  call: Call,
  release: EffectRelease | null,
  at: string,
): StartedCalls {
  const left = withoutSend(started, found, release);
  return release === null || startsAgent(call.tool) ? left : withLifted(left, id, at, release);
}

interface Keeping {
  readonly call: Call;
  readonly id: string;
  readonly meaning: Meaning;
  readonly result: SettleRequest;
  readonly facts: () => KeepFacts;
  readonly send: StartedCall | null;
  readonly besideWork: boolean;
}

/** A call kept as unanswered remembers the harness's ids, so that its late result finds it even when its directory changed. */
function lateId(kept: FailedCalls | null, call: Call): string | null {
  if (kept === null || call.harnessCall === null) return null;
  const wanted = call.harnessCall;
  return (
    Object.entries(kept.calls).find(([, one]) => one.tool === call.tool && one.harnessCalls?.includes(wanted))?.[0] ??
    null
  );
}

/** What a call that ran lifts: any change, or an unknown call; a write tool only by succeeding; an unknown call not by failing again. */
function releaseOf(
  setting: RepeatSetting,
  call: Call,
  meaning: Meaning,
  standing: boolean,
  id: string,
): EffectRelease | null {
  if (meaning.kind === "never-ran") return null;
  if (call.kind === "write") {
    const changed =
      meaning.kind === "succeeded" || (isFull(setting) && meaning.kind === "failed" && meaning.changedOutside);
    return changed === true ? { by: "effect", exceptCall: id, spends: false } : null;
  }
  if (!isFull(setting) || (call.effect !== "changes" && call.effect !== "unknown")) return null;
  const failedUnknown = call.effect === "unknown" && meaning.kind === "failed";
  return failedUnknown && standing ? null : { by: "effect", exceptCall: id, spends: failedUnknown };
}

/** A wait that tells of the end of a process of the session's, whose work ran behind the calls since, or `tama wait` with a new answer. */
function releaseOfWait(
  setting: RepeatSetting,
  call: Call,
  meaning: Meaning,
  { text }: SettleRequest,
): EffectRelease | null {
  if (!isFull(setting) || (meaning.kind !== "succeeded" && meaning.kind !== "failed")) return null;
  const told = call.kind === "shell" ? tellsOfNews(call.line ?? "", text) : tellsOfAnEnd(text);
  return told ? { by: "effect", exceptCall: null, spends: false } : null;
}

interface FoundSend {
  readonly id: string;
  readonly index: number;
  readonly send: StartedCall;
}

function findSend(started: StartedCalls, call: Call, id: string): FoundSend | null {
  if (call.harnessCall !== null) {
    // Some models number their calls anew in each message: of two sends with one id the identical call is meant.
    const found = Object.hasOwn(started.calls, id) ? sendUnder(started, id, call) : null;
    if (found !== null) return found;
    for (const key of Object.keys(started.calls)) {
      const late = sendUnder(started, key, call);
      if (late !== null) return late;
    }
  }
  const sends = started.calls[id] ?? [];
  const index = sends.findIndex((one) => call.harnessCall === null || one.harnessCall === null);
  const send = sends[index];
  return send === undefined ? null : { id, index, send };
}

/** The send by the harness's own id of a call. */
function sendUnder(started: StartedCalls, id: string, call: Call): FoundSend | null {
  const sends = started.calls[id] ?? [];
  const index = sends.findIndex((one) => one.harnessCall === call.harnessCall && one.tool === call.tool);
  const send = sends[index];
  return send === undefined ? null : { id, index, send };
}

function withoutSend(started: StartedCalls, found: FoundSend | null, release: EffectRelease | null): StartedCalls {
  if (found === null && release === null) return started;
  const calls: StartedCalls["calls"] = {};
  for (const [key, sends] of Object.entries(started.calls)) {
    const left = key === found?.id ? sends.toSpliced(found.index, 1) : sends;
    if (left.length > 0) calls[key] = release === null || key === release.exceptCall ? left : left.map(withRelease);
  }
  return { ...started, calls };
}

const withRelease = (send: StartedCall): StartedCall => (send.released === true ? send : { ...send, released: true });

function isBesideWork(started: StartedCalls, call: Call, message: string | number | null): boolean {
  const newest = started.newest;
  if (newest === undefined || message === null || newest.message !== message) return false;
  return newest.calls.some((one) => !one.look && (one.call !== call.id || one.harnessCall !== call.harnessCall));
}

function settledRecord(record: FailedCalls, keeping: Keeping, release: Release | null, full: boolean): FailedCalls {
  const lifted = release === null ? record : released(record, release);
  const { call, meaning, result } = keeping;
  // So it is after nearly every call.
  if (meaning.kind === "succeeded" && keepsNothing(lifted)) return lifted;
  const { [keeping.id]: earlier, ...others } = lifted.calls;
  switch (meaning.kind) {
    case "never-ran":
      return record;
    case "succeeded":
      return {
        ...lifted,
        calls: full ? withoutPlan(withoutNeeds(others, call), call) : others,
        spent: lifted.spent.filter((id) => id !== keeping.id),
      };
    case "interrupted": {
      const send = keeping.send ?? { tool: call.tool, at: result.at, harnessCall: call.harnessCall, message: null };
      const kept = keptUnanswered(earlier, keeping.facts(), send, result.text);
      return { ...lifted, calls: { ...others, [keeping.id]: kept } };
    }
    case "failed": {
      const spent = lifted.spent.includes(keeping.id);
      const readFirst = meaning.readFirst === true && full;
      const failure = {
        ...keeping.facts(),
        tool: call.tool,
        at: result.at,
        text: result.text,
        besideWork: keeping.besideWork && !spent,
        needs: readFirst ? call.path : null,
      };
      // The file it asks for may have been looked at already; that gate tells which looks may pass now.
      const kept = readFirst ? releasedLooks({ ...lifted, calls: others }).calls : others;
      return {
        ...lifted,
        calls: { ...kept, [keeping.id]: keptFailure(earlier, failure) },
        spent: lifted.spent.filter((id) => id !== keeping.id),
      };
    }
  }
}

/** An edit that was refused for want of a read may succeed once that file was read. */
function withoutNeeds(calls: FailedCalls["calls"], call: Call): FailedCalls["calls"] {
  if (call.kind !== "read" || call.path === null) return calls;
  return Object.fromEntries(Object.entries(calls).filter(([, kept]) => kept.needs !== call.path));
}

/** What was held of the session's own plan may be answered otherwise once the plan was written; nothing else is. */
function withoutPlan(calls: FailedCalls["calls"], call: Call): FailedCalls["calls"] {
  if (planPart(call.tool) !== "writes") return calls;
  return Object.fromEntries(Object.entries(calls).filter(([, kept]) => planPart(kept.tool) === null));
}
