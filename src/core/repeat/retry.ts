import { maskSecrets } from "../../base/mask.ts";
import { ownValue } from "../../base/own-value.ts";
import { done, failed, type Result } from "../../base/result.ts";
import type { Home } from "../../disk/home.ts";
import { readRecord } from "../../disk/read-record.ts";
import { updateRecord } from "../../disk/update-record.ts";
import { failedCallsSchema, type KeptCall } from "../../words/kept-calls.ts";
import type { Owner } from "./call.ts";
import { asShown } from "./calls.ts";
import { addressOf } from "./refusal.ts";

export interface RetryKept {
  readonly session: string;
  readonly call: string;
  readonly failed: KeptCall;
}

/** `tama calls retry`: keeps why the repeat differs and lifts this hold, and nothing else, until the call fails again. */
export async function retryCall(home: Home, owner: Owner, call: string, because: string): Promise<Result<RetryKept>> {
  if (because.trim() === "")
    return failed("tama calls retry --because takes what changed since the call failed; it was empty");
  const path = home.failedCalls(owner.session, owner.agentId);
  const none = failed(
    `session ${owner.session} keeps no failed call ${call}; \`tama calls failed ${addressOf(owner)}\` lists them`,
  );
  // Where nothing was ever kept there is no folder for a lock either.
  const before = readRecord(path, failedCallsSchema);
  if (!before.ok) return before;
  if (before.value === null) return none;
  const kept: KeptCall[] = [];
  const written = await updateRecord(path, failedCallsSchema, (record) => {
    const earlier = record === null ? undefined : ownValue(record.calls, call);
    if (record === null || earlier === undefined) return null;
    const next = { ...earlier, retry: maskSecrets(because) };
    kept.push(next);
    return { ...record, calls: { ...record.calls, [call]: next } };
  });
  if (!written.ok) return written;
  const [shown] = kept;
  return shown === undefined ? none : done({ session: owner.session, call, failed: asShown(shown) });
}
