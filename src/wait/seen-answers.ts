import { sha256 } from "../base/digest.ts";
import { done, type Result } from "../base/result.ts";
import { canonicalJson } from "../calls/identity.ts";
import { type Home, prepareHome } from "../disk/home.ts";
import { readRecord } from "../disk/read-record.ts";
import { updateRecord } from "../disk/update-record.ts";
import { seenAnswersSchema } from "../words/seen-answers.ts";

/**
 * What a session last saw of a command it waits for, kept between one `tama wait` and the next: a change that falls between two of them is
 * still a change, and one that was printed is none any more.
 */
export interface SeenAnswer {
  readonly digest: string;
  readonly at: string;
}

export interface Waiter {
  readonly session: string;
  readonly agentId: string | null;
}

/** The name of one wait: what runs, where, and after which call. */
export function waitName(command: readonly string[], cwd: string, after: string | null): string {
  return sha256(canonicalJson({ command, cwd, after })).slice(0, 16);
}

export function lastSeen(home: Home, waiter: Waiter, name: string): Result<SeenAnswer | null> {
  const record = readRecord(home.waits(waiter.session, waiter.agentId), seenAnswersSchema);
  if (!record.ok) return record;
  return done(record.value?.waits[name] ?? null);
}

export async function keepSeen(home: Home, waiter: Waiter, name: string, seen: SeenAnswer): Promise<Result<void>> {
  const prepared = prepareHome(home);
  if (!prepared.ok) return prepared;
  return await updateRecord(home.waits(waiter.session, waiter.agentId), seenAnswersSchema, (record) => {
    const others = Object.entries(record?.waits ?? {}).filter(([other]) => other !== name);
    const newest = others.sort(([, a], [, b]) => a.at.localeCompare(b.at)).slice(1 - keptMax);
    return { ...record, waits: Object.fromEntries([...newest, [name, seen]]) };
  });
}

/** A session waits for a few commands at a time; older ones are past. */
const keptMax = 64;
