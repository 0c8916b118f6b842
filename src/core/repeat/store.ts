import type { Clock } from "../../base/clock.ts";
import { sayOnStderr } from "../../base/descriptors.ts";
import type { Result } from "../../base/result.ts";
import type { FailedCalls, KeptCall, Lifted, StartedCalls } from "../../words/kept-calls.ts";
import type { DefectRegister, Settings } from "../../words/records.ts";
import type { Owner } from "./call.ts";

/** What the repeat rule stands on: live on records of TAMA_HOME, in replay on records in memory; the rule itself is the same. */
export interface RepeatSetting {
  readonly records: RepeatRecords;
  readonly clock: Clock;
  readonly harness: string;
  /** Whether the transcript told of a change since a call was kept, where it is not to be read for that: a replay knows. */
  readonly toldSince?: (kept: KeptCall) => boolean;
}

export interface RepeatRecords {
  readonly settings: () => Result<Settings>;
  readonly failed: (owner: Owner) => Result<FailedCalls | null>;
  readonly started: (owner: Owner) => Result<StartedCalls | null>;
  /** Every reading and writing is one step for whoever else keeps calls of this session; the same record given back writes nothing. */
  readonly changeFailed: (owner: Owner, change: (record: FailedCalls) => FailedCalls) => Promise<Result<void>>;
  readonly changeStarted: (owner: Owner, change: (record: StartedCalls) => StartedCalls) => Promise<Result<void>>;
  /** What each of the session's other agents last released, one entry an agent; absent = no other agent is known. */
  readonly liftedBeside?: (owner: Owner) => readonly Lifted[] | Promise<readonly Lifted[]>;
  readonly register: () => Result<DefectRegister | null>;
  /** The ids kept under judgements/, sorted. */
  readonly answers: () => Result<readonly string[]>;
  /** Where each of these is kept, for whoever may move a broken one aside. */
  readonly pathOf: (what: "settings" | "failed" | "started" | "register" | "answers", owner: Owner) => string;
}

/** False keeps to the spec's own list of releases (`"repeat":"spec"`); so do settings that cannot be read, until they can. */
export function isFull(setting: RepeatSetting): boolean {
  const settings = setting.records.settings();
  if (!settings.ok) sayOnStderr(`tama: ${settings.cause}`);
  return settings.ok && settings.value.repeat === "full";
}

/** What every kept call is kept with. An unreadable register is said, and the closures are then taken when the call is next asked. */
export interface KeepFacts {
  readonly catalog: string;
  readonly answers: readonly string[];
  readonly closures: readonly string[] | undefined;
}

/** Changes what a session keeps as failed. A write that fails is said on stderr and decides nothing. */
export function changeFailed(
  setting: RepeatSetting,
  owner: Owner,
  change: (record: FailedCalls) => FailedCalls,
): Promise<void> {
  return setting.records.changeFailed(owner, change).then(sayUnkept);
}

export function changeStarted(
  setting: RepeatSetting,
  owner: Owner,
  change: (record: StartedCalls) => StartedCalls,
): Promise<void> {
  return setting.records.changeStarted(owner, change).then(sayUnkept);
}

function sayUnkept(kept: Result<void>): void {
  if (!kept.ok) sayOnStderr(`tama: ${kept.cause}`);
}
