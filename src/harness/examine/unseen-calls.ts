import { statSync } from "node:fs";
import { join } from "node:path";
import { readLog } from "../../core/log-reading.ts";
import type { Home } from "../../disk/home.ts";
import { listFolder } from "../../disk/list-folder.ts";
import { newestFiles } from "../../disk/newest-files.ts";
import { listEntries } from "../../transcript/list-entries.ts";
import type { Inspection, Problem } from "./inspection.ts";

/**
 * Proof of life: the calls in the newest transcripts that no core ever saw. Calls are counted by tool, those since Tama was installed, and
 * held against the session's log, which has a line for each call a core decided. Bounded: a few transcripts, none of them huge.
 */
export function unseenCalls(home: Home, name: string, inspection: Inspection): readonly Problem[] {
  const since = installedAt(home, name, inspection);
  if (!inspection.installed || since === null) return [];
  const { folder, sessionOf, beganAt = () => null } = inspection.transcripts;
  return newestFiles(folder, ".jsonl", lookedAt)
    .filter(({ bytes, changed }) => bytes <= bytesMax && changed >= since)
    .flatMap(({ path }) => {
      const session = sessionOf(path);
      return session === null
        ? []
        : unseenIn(home, name, inspection, { path, session, since: Math.max(since, beganAt(path) ?? 0) });
    });
}

const lookedAt = 8;
const bytesMax = 32 * 1024 * 1024;

interface Looked {
  readonly path: string;
  readonly session: string;
  readonly since: number;
}

function unseenIn(
  home: Home,
  name: string,
  { unasked }: Inspection,
  { path, session, since }: Looked,
): readonly Problem[] {
  const made = madeCalls(path, name, since, unasked);
  if (made.size === 0) return [];
  const log = readLog(home.sessionLog(session, null));
  if (!log.ok) return [{ what: log.cause, wayOut: "move that file away; it is only read by tama log, why and doctor" }];
  const unseen = new Map(made);
  for (const { event, tool } of log.value) {
    const key = (tool ?? "").toLowerCase();
    if (event === "tool_call" && unseen.has(key)) unseen.set(key, (unseen.get(key) ?? 0) - 1);
  }
  const missing = [...unseen].filter(([, count]) => count > 0);
  if (missing.length === 0) return [];
  const named = missing.map(([tool, count]) => `${count} of ${tool}`).join(", ");
  const what = `${name} ran calls Tama never saw in session ${session}: ${named} (${path})`;
  return [
    {
      what,
      wayOut:
        "start that session anew; if it happens again, the agent leaves its hooks out, and the lines above say why",
    },
  ];
}

/** Calls by lower-case tool, without those that never ran: a harness asks no hook about arguments that do not parse. */
function madeCalls(
  path: string,
  harness: string,
  since: number,
  unasked: readonly string[],
): ReadonlyMap<string, number> {
  const made = new Map<string, number>();
  const add = (tool: string, by: number): void => void made.set(tool, (made.get(tool) ?? 0) + by);
  const late = (time: string | null): boolean => time !== null && Date.parse(time) >= since;
  listEntries({ path, harness, accepted: new Set() }, (entry) => {
    if (entry.kind === "answer" && late(entry.time)) for (const call of entry.calls) add(call.tool.toLowerCase(), 1);
    if (entry.kind === "result" && entry.nested !== null && late(entry.time)) add(entry.nested.tool.toLowerCase(), 1);
    if (entry.kind === "result" && entry.outcome === "refused" && late(entry.time)) add(entry.tool.toLowerCase(), -1);
  });
  for (const tool of unasked) made.delete(tool);
  return new Map([...made].filter(([, count]) => count > 0));
}

/** When Tama was put into the harness, as far as files tell; null where they do not. */
function installedAt(home: Home, name: string, { file }: Inspection): number | null {
  const folder = join(home.root, "install");
  const names = listFolder(folder, ".json");
  const kept = (names.ok ? names.value : [])
    .filter((one) => one.startsWith(`${name}-`))
    .map((one) => join(folder, one));
  const times = (kept.length > 0 ? kept : [file]).flatMap(changedAt);
  return times.length === 0 ? null : Math.max(...times);
}

function changedAt(path: string): readonly number[] {
  try {
    return [statSync(path).mtimeMs];
  } catch {
    return [];
  }
}
