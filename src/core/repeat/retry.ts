import { done, failed, type Result } from "../../base/result.ts";
import type { Home } from "../../disk/home.ts";
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
  const kept: KeptCall[] = [];
  const written = await updateRecord(home.failedCalls(owner.session, owner.agentId), failedCallsSchema, (record) => {
    const earlier = record?.calls[call];
    if (record === null || earlier === undefined) return null;
    const next = { ...earlier, retry: because };
    kept.push(next);
    return { ...record, calls: { ...record.calls, [call]: next } };
  });
  if (!written.ok) return written;
  const shown = kept[0];
  if (shown === undefined) {
    return failed(
      `session ${owner.session} keeps no failed call ${call}; \`tama calls failed ${addressOf(owner)}\` lists them`,
    );
  }
  return done({ session: owner.session, call, failed: asShown(shown) });
}
