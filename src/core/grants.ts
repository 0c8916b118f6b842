import * as v from "valibot";
import { sayOnStderr } from "../base/descriptors.ts";
import { newMark } from "../base/ids.ts";
import type { Result } from "../base/result.ts";
import { callIdentity } from "../calls/identity.ts";
import { type Home, prepareHome } from "../disk/home.ts";
import { readRecord } from "../disk/read-record.ts";
import { updateRecord } from "../disk/update-record.ts";
import type { HookRun } from "../supervision/run-hook.ts";
import type { CoreSetting, DispatchRequest } from "./core.ts";

/**
 * A person's grants (contract 3.8): each lifts one hook's refusal, of one named call or the next refusal of one named hook, once, in one
 * session. It is taken under the file's lock when it makes the event pass, so two calls at once never share one; a call that is refused all
 * the same, or cancelled, takes none. A fault is no refusal and is never lifted, nor is the repeat hold, which is decided before.
 */
const grantSchema = v.looseObject({
  id: v.string(),
  call: v.optional(v.string()),
  hook: v.optional(v.string()),
  because: v.string(),
  at: v.string(),
  spent: v.nullable(v.looseObject({ at: v.string(), dispatch: v.string(), hook: v.string() })),
});
const grantsSchema = v.looseObject({ grants: v.array(grantSchema) });
type Grant = v.InferOutput<typeof grantSchema>;

export interface NewGrant {
  readonly session: string;
  /** Exactly one of `call` and `hook`. */
  readonly call?: string;
  readonly hook?: string;
  readonly because: string;
  readonly at: string;
}

/** Writes a grant down in `control/grants.<session>.json`. */
export async function addGrant(home: Home, { session, ...given }: NewGrant): Promise<Result<void>> {
  const prepared = prepareHome(home);
  if (!prepared.ok) return prepared;
  const grant: Grant = { id: newMark(), ...given, spent: null };
  return await updateRecord(home.grants(session), grantsSchema, (record) => ({
    ...record,
    grants: [...(record?.grants ?? []), grant],
  }));
}

/** The hooks' verdicts with every refusal lifted that is granted, when that makes the event pass; else as they were, and nothing is spent. */
export async function withGrants(
  { home, harness, clock }: CoreSetting,
  { id, event, signal }: DispatchRequest,
  runs: readonly HookRun[],
): Promise<readonly HookRun[]> {
  const refused = runs.filter((run) => run.verdict.kind !== "pass");
  const session = event.payload.session ?? "";
  if (session === "" || refused.length === 0 || refused.some((run) => run.verdict.kind === "fault")) return runs;
  const path = home.grants(session);
  const there = readRecord(path, grantsSchema);
  if (there.ok && !there.value?.grants.some((grant) => grant.spent === null)) return runs;
  const call =
    event.event === "tool_call"
      ? callIdentity(harness, event.payload.tool, event.payload.cwd ?? null, event.payload.input)
      : null;
  let lifted: ReadonlyMap<HookRun, Grant> = new Map();
  const written = await updateRecord(path, grantsSchema, (record) => {
    const found = signal.aborted ? null : liftAll(refused, record?.grants ?? [], call);
    if (record === null || found === null) return null;
    lifted = found;
    const spent = new Map([...found].map(([run, grant]) => [grant.id, run.hook]));
    return { ...record, grants: record.grants.map((grant) => spend(grant, spent.get(grant.id), id, clock.iso())) };
  });
  if (!written.ok) sayOnStderr(`tama: no grant was looked at, so the refusal stands: ${written.cause}`);
  return written.ok ? runs.map((run) => passedBy(run, lifted.get(run))) : runs;
}

/** Gives back what a dispatch spent that was not admitted in the end. */
export async function returnGrants({ home }: CoreSetting, { id, event }: DispatchRequest): Promise<void> {
  const session = event.payload.session ?? "";
  const path = home.grants(session);
  const there = readRecord(path, grantsSchema);
  if (session === "" || !there.ok || !there.value?.grants.some((grant) => grant.spent?.dispatch === id)) return;
  const written = await updateRecord(path, grantsSchema, (record) =>
    record === null
      ? null
      : { ...record, grants: record.grants.map((one) => (one.spent?.dispatch === id ? { ...one, spent: null } : one)) },
  );
  if (!written.ok) sayOnStderr(`tama: ${written.cause}`);
}

/** A grant for each refusal, the oldest first; null when one refusal is left without. */
function liftAll(
  refused: readonly HookRun[],
  grants: readonly Grant[],
  call: string | null,
): ReadonlyMap<HookRun, Grant> | null {
  const free = grants.filter((grant) => grant.spent === null);
  const lifted = new Map<HookRun, Grant>();
  for (const run of refused) {
    const at = free.findIndex((grant) => (grant.hook === undefined ? grant.call === call : grant.hook === run.hook));
    const [grant] = at === -1 ? [] : free.splice(at, 1);
    if (grant === undefined) return null;
    lifted.set(run, grant);
  }
  return lifted;
}

function spend(grant: Grant, hook: string | undefined, dispatch: string, at: string): Grant {
  return hook === undefined ? grant : { ...grant, spent: { at, dispatch, hook } };
}

function passedBy(run: HookRun, grant: Grant | undefined): HookRun {
  if (grant === undefined) return run;
  const notes = `tama grant once: ${run.hook} refused this; a person let it through once: ${grant.because}`;
  return { ...run, verdict: { kind: "pass", notes } };
}
