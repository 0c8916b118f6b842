import type { KeptCall, Lifted, StartedCalls } from "../../words/kept-calls.ts";
import type { Owner } from "./call.ts";
import type { Release } from "./keep.ts";
import { changeFailed, changeStarted, isFull, type RepeatSetting } from "./store.ts";

/**
 * A session's agents work in the same files, so what one of them changed, or a person wrote to the main one, may change the answer of a
 * call that another kept. Each keeps its calls apart and only says when it last released anything; whoever is about to hold a call asks
 * the others. Times are compared within one session on one machine.
 */
export interface ReleasedElsewhere {
  /** It was an unknown call that failed: the released call's failing again is no change. */
  readonly spends: boolean;
}

/** The release of a kept call by another agent since, or null. As with one's own, the same call run by another is no change. */
export async function releasedByOther(
  setting: RepeatSetting,
  owner: Owner,
  call: string,
  kept: KeptCall,
): Promise<ReleasedElsewhere | null> {
  const byPerson = kept.by !== "unanswered" && isFull(setting);
  for (const lifted of (await setting.records.liftedBeside?.(owner)) ?? []) {
    if (changeBeside(lifted, call) > kept.at) return { spends: lifted.call !== call && lifted.spends === true };
    if (byPerson && (lifted.person ?? "") > kept.at) return { spends: false };
  }
  return null;
}

function changeBeside(lifted: Lifted, call: string): string {
  return (lifted.call === call ? lifted.before : lifted.change) ?? "";
}

/** Notes a change for the session's other agents. */
export function withLifted(
  started: StartedCalls,
  call: string,
  at: string,
  release: Release & { readonly by: "effect" },
): StartedCalls {
  const { change, before, person } = started.lifted ?? {};
  const other = started.lifted?.call === call ? before : change;
  const lifted: Lifted = {
    change: at,
    call,
    ...(other === undefined ? {} : { before: other }),
    ...(release.spends ? { spends: true } : {}),
    ...(person === undefined ? {} : { person }),
  };
  return { ...started, lifted };
}

/** Takes a call that another agent released out of what its owner keeps. */
export async function forgetReleased(
  setting: RepeatSetting,
  owner: Owner,
  call: string,
  { spends }: ReleasedElsewhere,
): Promise<void> {
  await changeFailed(setting, owner, (record) => {
    const { [call]: _released, ...calls } = record.calls;
    return { ...record, calls, spent: spends ? [...new Set([...record.spent, call])] : record.spent };
  });
}

/** Tells the subagents that a person wrote; a session without calls has none. */
export async function tellOfPerson(setting: RepeatSetting, owner: Owner): Promise<void> {
  const started = setting.records.started(owner);
  if (owner.agentId !== null || !started.ok || started.value === null) return;
  const person = setting.clock.iso();
  await changeStarted(setting, owner, (record) => ({ ...record, lifted: { ...record.lifted, person } }));
}
