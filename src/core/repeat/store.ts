import type { Clock } from "../../base/clock.ts";
import { sayOnStderr } from "../../base/descriptors.ts";
import type { Result } from "../../base/result.ts";
import type { Home } from "../../disk/home.ts";
import { updateRecord } from "../../disk/update-record.ts";
import { type FailedCalls, failedCallsSchema, type StartedCalls, startedCallsSchema } from "../../words/kept-calls.ts";
import type { Settings } from "../../words/records.ts";
import type { Owner } from "./call.ts";

/** What the repeat rule stands on. */
export interface RepeatSetting {
  readonly home: Home;
  readonly clock: Clock;
  readonly harness: string;
  readonly registerPath: string;
  readonly settings: () => Result<Settings>;
}

/** False keeps to the spec's own list of releases (`"repeat":"spec"`); so do settings that cannot be read, until they can. */
export function isFull(setting: RepeatSetting): boolean {
  const settings = setting.settings();
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
export async function changeFailed(
  setting: RepeatSetting,
  owner: Owner,
  change: (record: FailedCalls) => FailedCalls,
): Promise<void> {
  const path = setting.home.failedCalls(owner.session, owner.agentId);
  const kept = await updateRecord(path, failedCallsSchema, (record) =>
    unlessSame(record, change(record ?? { calls: {}, spent: [] }), { calls: {}, spent: [] }),
  );
  if (!kept.ok) sayOnStderr(`tama: ${kept.cause}`);
}

export async function changeStarted(
  setting: RepeatSetting,
  owner: Owner,
  change: (record: StartedCalls) => StartedCalls,
): Promise<void> {
  const path = setting.home.startedCalls(owner.session, owner.agentId);
  const kept = await updateRecord(path, startedCallsSchema, (record) =>
    unlessSame(record, change(record ?? { calls: {} }), { calls: {} }),
  );
  if (!kept.ok) sayOnStderr(`tama: ${kept.cause}`);
}

/** Most events change nothing that is kept; those must cost no write. */
function unlessSame<T>(before: T | null, after: T, empty: T): T | null {
  return JSON.stringify(before ?? empty) === JSON.stringify(after) ? null : after;
}
