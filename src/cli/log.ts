import { printableRow } from "../base/printable.ts";
import { done, type Result } from "../base/result.ts";
import { type LogOwner, logBytes, logFiles, ownerOfLog, readLog } from "../core/log-reading.ts";
import type { LogLine } from "../words/records.ts";
import type { Command, Context } from "./command.ts";
import { cutTo } from "./progress-line.ts";

export const command: Command = {
  usage: "log [--session <id>] [--agent <id>] [--follow] [--json]",
  about:
    "What was decided, oldest first: time, session, event, verdict, and of a refusal who refused, its id and the call.",
  example: "tama log --session 0f3c --follow",
  args: {
    session: { type: "string", valueHint: "id", description: "one session only, as tama status names it" },
    agent: { type: "string", valueHint: "id", description: "a subagent of it" },
    follow: { type: "boolean", description: "go on as more is decided, until Ctrl-C" },
    json: { type: "boolean", description: "one JSON object a line" },
  },
  run: async (context, given) => {
    const session = given.text("session");
    if (session === undefined && given.text("agent") !== undefined) {
      context.err(
        `tama log: --agent is a subagent of a session; name that by --session\nusage: tama ${command.usage}\n`,
      );
      return 2;
    }
    const files =
      session === undefined
        ? logFiles(context.home)
        : done([context.home.sessionLog(session, given.text("agent") ?? null)]);
    const seen = new Map<string, Seen>();
    const shown = show(context, files, given.flag("json"), seen);
    if (shown !== 0) return shown;
    if (!given.flag("follow")) {
      const none = [...seen.values()].every(({ lines }) => lines === 0);
      if (none && !given.flag("json"))
        context.out(
          session === undefined ? "nothing is logged yet\n" : `nothing is logged of session ${printableRow(session)}\n`,
        );
      return 0;
    }
    const again = (): typeof files => (session === undefined ? logFiles(context.home) : files);
    while (!context.stopped.aborted) {
      await context.clock.sleep(300);
      show(context, again(), given.flag("json"), seen);
    }
    return 0;
  },
};

/** What of a file was shown; one that has not grown since is not read again. */
interface Seen {
  readonly lines: number;
  readonly bytes: number;
}

/** Shows what `seen` does not hold yet, and takes note of it there. */
function show(context: Context, files: Result<readonly string[]>, json: boolean, seen: Map<string, Seen>): number {
  if (!files.ok) {
    context.err(`log: ${files.cause}\n`);
    return 1;
  }
  let code = 0;
  const rows: { readonly line: LogLine; readonly owner: LogOwner }[] = [];
  for (const file of files.value) {
    // Taken before it is read: what is appended meanwhile makes it grow once more.
    const bytes = logBytes(file);
    const before = seen.get(file);
    if (before !== undefined && before.bytes === bytes) continue;
    const log = readLog(file);
    const lines = log.ok ? log.value.length : (before?.lines ?? 0);
    seen.set(file, { lines, bytes });
    if (!log.ok) {
      context.err(`log: ${log.cause}\n`);
      code = 1;
      continue;
    }
    const owner = ownerOfLog(file);
    for (const line of log.value.slice(before?.lines ?? 0)) rows.push({ line, owner });
  }
  rows.sort((a, b) => a.line.at.localeCompare(b.line.at));
  context.out(
    rows.map(({ line, owner }) => (json ? `${JSON.stringify(asJson(line, owner))}\n` : row(line, owner))).join(""),
  );
  return code;
}

/** One line of a log with whose it is. */
function asJson(line: LogLine, { session, agentId }: LogOwner): object {
  return { session, ...(agentId === null ? {} : { agentId }), ...line };
}

function row(line: LogLine, { session, agentId }: LogOwner): string {
  const whose = `${printableRow(session)}${agentId === null ? "" : ` (subagent ${printableRow(agentId)})`}`;
  const about = line.tool == null ? line.event : `${line.event} ${printableRow(line.tool)}`;
  const by = line.refusal === undefined ? "" : `  ${line.blockedHookId}  ${line.refusal}`;
  const asked = line.asked === undefined ? "" : `  ${cutEnd(printableRow(line.asked))}`;
  return `${line.at}  ${whose}  ${about}  ${line.verdict}${by}${asked}\n`;
}

/** Enough to tell which call it was; `tama why` has it whole. */
function cutEnd(text: string): string {
  const cut = cutTo(text, askedColumns);
  return cut === text ? text : `${cut}…`;
}

const askedColumns = 80;
