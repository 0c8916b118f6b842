import { done, type Result } from "../../base/result.ts";
import type { Home } from "../../disk/home.ts";
import { readRecord } from "../../disk/read-record.ts";
import { failedCallsSchema, type KeptCall } from "../../words/kept-calls.ts";
import type { Owner } from "./call.ts";

/** `tama calls failed`: what a session keeps. One that kept none has no calls. */
export function failedCalls(home: Home, owner: Owner): Result<{ readonly calls: Readonly<Record<string, KeptCall>> }> {
  const record = readRecord(home.failedCalls(owner.session, owner.agentId), failedCallsSchema);
  if (!record.ok) return record;
  const calls = Object.entries(record.value?.calls ?? {}).map(([call, kept]) => [call, asShown(kept)] as const);
  return done({ calls: Object.fromEntries(calls) });
}

/** Exactly the fields of contract 5; an old record's missing lists are shown as empty. */
export function asShown(kept: KeptCall): KeptCall {
  const { tool, said, answer, by, at, catalog, answers, retry } = kept;
  return { tool, said, answer, by, at, catalog, answers, retry, closures: kept.closures ?? [] };
}
