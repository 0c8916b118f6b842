import { join } from "node:path";
import { printable, printableRow } from "../base/printable.ts";
import { release } from "../base/release.ts";
import { readCatalog } from "../core/catalog.ts";
import { readSettings } from "../core/settings.ts";
import { unfitHome } from "../disk/home.ts";
import { listFolder } from "../disk/list-folder.ts";
import { readRecord } from "../disk/read-record.ts";
import { inspectHooks } from "../supervision/inspection.ts";
import { type SessionRecord, sessionRecordSchema } from "../words/records.ts";
import type { Command, Context } from "./command.ts";

export const command: Command = {
  usage: "status [--json]",
  about: "Tama at a glance: what is declared, the newest sessions, what runs now, and what is broken.",
  args: { json: { type: "boolean", description: "the same as JSON" } },
  run: async (context, given) => {
    const status = await gather(context);
    context.out(given.flag("json") ? `${JSON.stringify(status, null, 2)}\n` : told(status));
    return status.problems.length === 0 ? 0 : 1;
  },
};

interface Status {
  readonly release: string;
  readonly home: string;
  readonly catalog: string | null;
  readonly declared: readonly string[];
  readonly sessions: readonly SessionRecord[];
  readonly running: number;
  readonly orphaned: number;
  readonly problems: readonly string[];
}

async function gather(context: Context): Promise<Status> {
  const problems: string[] = [];
  const unfit = unfitHome(context.home);
  const catalog = readCatalog(context.home);
  if (!catalog.ok) problems.push(catalog.cause);
  const settings = readSettings(context.home);
  if (!settings.ok) problems.push(settings.cause);
  const inspection = await inspectHooks(context.home);
  problems.push(...inspection.errors);
  return {
    release,
    home: context.home.root,
    catalog: catalog.ok ? catalog.value.id : null,
    declared: catalog.ok ? catalog.value.hooks.map((hook) => hook.id) : [],
    sessions: sessions(context, problems),
    running: inspection.hooks.length,
    orphaned: inspection.hooks.filter((hook) => hook.ownershipState === "orphaned").length,
    // What else cannot be read in an unfit home is this same problem.
    problems: unfit === null ? problems : [unfit.cause],
  };
}

function sessions(context: Context, problems: string[]): readonly SessionRecord[] {
  const records: SessionRecord[] = [];
  const names = listFolder(context.home.sessions, ".json");
  if (!names.ok) problems.push(names.cause);
  for (const name of names.ok ? names.value : []) {
    const record = readRecord(join(context.home.sessions, name), sessionRecordSchema);
    if (!record.ok) problems.push(record.cause);
    else if (record.value !== null) records.push(record.value);
  }
  return records.sort((a, b) => b.lastEvent.at.localeCompare(a.lastEvent.at));
}

function told(status: Status): string {
  const rows = [
    `tama ${status.release}  ${status.home}`,
    declared(status),
    `running hooks: ${status.running}${status.orphaned === 0 ? "" : `, ${status.orphaned} of them orphaned (tama hooks running --end-orphans)`}`,
    status.sessions.length === 0 ? "sessions: none seen yet" : "sessions, newest first:",
    ...status.sessions.slice(0, 10).map(session),
    ...status.problems.map((problem) => `problem: ${printable(problem)}`),
  ];
  return `${rows.join("\n")}\n`;
}

function declared({ catalog, declared: hooks }: Status): string {
  if (catalog === null) return "declared: cannot be told, so every call is refused (see the problems)";
  return hooks.length === 0 ? "declared: nothing; failed calls are kept all the same" : `declared: ${hooks.join(", ")}`;
}

function session(record: SessionRecord): string {
  const agent = record.agentId === null ? "" : ` (subagent ${printableRow(record.agentId)})`;
  return `  ${record.lastEvent.at}  ${printableRow(record.harness)}  ${printableRow(record.session)}${agent}  ${record.calls} calls, ${record.refusals.length} refused`;
}
