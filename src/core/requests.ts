import { release } from "../base/release.ts";
import { done, failed, type Result } from "../base/result.ts";
import { readRecord } from "../disk/read-record.ts";
import { inspectHooks } from "../supervision/inspection.ts";
import { endOrphans } from "../supervision/orphans.ts";
import { sessionRecordSchema } from "../words/records.ts";
import { type Catalog, readCatalog } from "./catalog.ts";
import type { Core } from "./core.ts";
import { toolsReached } from "./reach.ts";
import type { Owner } from "./repeat/call.ts";
import { failedCalls } from "./repeat/calls.ts";
import { retryCall } from "./repeat/retry.ts";

/** The native request interface (contract 2): the page, the adapters and the CLI speak the same operations. */
export type Operations = Readonly<Record<string, (body: Body) => Promise<Result<unknown>>>>;
type Body = Readonly<Record<string, unknown>>;

export function answerRequest(operations: Operations, operation: string, body: Body): Promise<Result<unknown>> {
  const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (known === undefined) {
    return Promise.resolve(failed(unknownOperation(operations, operation)));
  }
  return known(body);
}

export function unknownOperation(operations: Operations, operation: string): string {
  return `unknown operation ${JSON.stringify(operation)}; there are ${Object.keys(operations).join(", ")}`;
}

export function coreOperations(core: Core): Operations {
  const { home } = core.setting;
  return {
    "calls/failed": needing("calls/failed", ["session"], (body) =>
      core.inTurn(ownerIn(body), async () => failedCalls(home, ownerIn(body))),
    ),
    "calls/retry": needing("calls/retry", ["session", "call", "because"], (body) =>
      core.inTurn(ownerIn(body), () => retryCall(home, ownerIn(body), word(body, "call"), word(body, "because"))),
    ),
    "hooks/running": async () => done(await inspectHooks(home)),
    "hooks/end-orphans": async () => done(await endOrphans(home)),
    "hooks/declared": async () => {
      const catalog = readCatalog(home);
      return catalog.ok ? done(shownCatalog(catalog.value)) : catalog;
    },
    "runtime/status": async () => done(await runtimeStatus(core)),
    "session/record": needing("session/record", ["session"], async (body) => {
      const owner = ownerIn(body);
      const record = readRecord(home.sessionRecord(owner.session, owner.agentId), sessionRecordSchema);
      return record.ok ? done({ session: owner.session, record: record.value }) : record;
    }),
  };
}

/** What `tama hooks declared --json` prints too. */
export function shownCatalog({ id, hooks }: Catalog): object {
  return { catalog: id, declared: hooks.map((hook) => ({ ...hook, reaches: toolsReached(hook) })) };
}

async function runtimeStatus(core: Core): Promise<object> {
  const { home, harness } = core.setting;
  const catalog = readCatalog(home);
  return {
    release,
    harness,
    home: home.root,
    pid: process.pid,
    catalog: catalog.ok ? catalog.value.id : null,
    ...(catalog.ok ? {} : { catalogError: catalog.cause }),
    dispatches: core.running(),
    ...(await inspectHooks(home)),
  };
}

/** An empty or absent field is refused in the spec's words. */
function needing(
  operation: string,
  fields: readonly string[],
  run: (body: Body) => Promise<Result<unknown>>,
): (body: Body) => Promise<Result<unknown>> {
  return (body) => {
    const missing = fields.find((field) => word(body, field).trim() === "");
    return missing === undefined ? run(body) : Promise.resolve(failed(`${operation} needs a nonempty ${missing}`));
  };
}

function word(body: Body, field: string): string {
  const value = body[field];
  return typeof value === "string" ? value : "";
}

function ownerIn(body: Body): Owner {
  const agentId = word(body, "agentId");
  return { session: word(body, "session"), agentId: agentId === "" ? null : agentId };
}
