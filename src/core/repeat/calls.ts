import { done, type Result } from "../../base/result.ts";
import type { Home } from "../../disk/home.ts";
import { readTextFile } from "../../disk/read-text-file.ts";
import type { KeptCall } from "../../words/kept-calls.ts";
import type { Owner } from "./call.ts";

export interface ShownCalls {
  readonly calls: Readonly<Record<string, KeptCall>>;
}

/** `tama calls failed`: what a session keeps. One that kept none has no calls. */
export async function failedCalls(home: Home, owner: Owner): Promise<Result<ShownCalls>> {
  const path = home.failedCalls(owner.session, owner.agentId);
  const text = readTextFile(path);
  if (!text.ok) return text;
  if (text.value === null) return done({ calls: {} });
  // Only a session that kept something pays for the schemas.
  const { decodeRecord } = await import("../../disk/read-record.ts");
  const { failedCallsSchema } = await import("../../words/kept-calls.ts");
  const record = decodeRecord(path, text.value, failedCallsSchema);
  if (!record.ok) return record;
  const calls = Object.entries(record.value.calls).map(([call, kept]) => [call, asShown(kept)] as const);
  return done({ calls: Object.fromEntries(calls) });
}

/** Exactly the fields of contract 5; an old record's missing lists are shown as empty. */
export function asShown(kept: KeptCall): KeptCall {
  const { tool, said, answer, by, at, catalog, answers, retry } = kept;
  return { tool, said, answer, by, at, catalog, answers, retry, closures: kept.closures ?? [] };
}
