import { printableRow } from "../base/printable.ts";
import { done, type Result } from "../base/result.ts";
import { type LogOwner, logFiles, ownerOfLog, readLog } from "../core/log-reading.ts";
import type { LogLine } from "../words/records.ts";
import type { Command, Context } from "./command.ts";

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
    const files =
      session === undefined
        ? logFiles(context.home)
        : done([context.home.sessionLog(session, given.text("agent") ?? null)]);
    const seen = new Map<string, number>();
    const shown = show(context, files, given.flag("json"), seen);
    if (shown !== 0) return shown;
    if (!given.flag("follow")) {
      const none = [...seen.values()].every((lines) => lines === 0);
      if (none && !given.flag("json"))
        context.out(
          session === undefined ? "nothing is logged yet\n" : `nothing is logged of session ${printableRow(session)}\n`,
        );
      return 0;
    }
    return await follow(context, () => (session === undefined ? logFiles(context.home) : files), given.flag("json"));
  },
};

/** `seen` remembers how many lines of each file were shown. */
function show(context: Context, files: Result<readonly string[]>, json: boolean, seen: Map<string, number>): number {
  if (!files.ok) {
    context.err(`log: ${files.cause}\n`);
    return 1;
  }
  let code = 0;
  const rows: { readonly line: LogLine; readonly owner: LogOwner }[] = [];
  for (const file of files.value) {
    const log = readLog(file);
    if (!log.ok) {
      context.err(`log: ${log.cause}\n`);
      code = 1;
      continue;
    }
    rows.push(...log.value.slice(seen.get(file) ?? 0).map((line) => ({ line, owner: ownerOfLog(file) })));
    seen.set(file, log.value.length);
  }
  rows.sort((a, b) => a.line.at.localeCompare(b.line.at));
  context.out(
    rows.map(({ line, owner }) => (json ? `${JSON.stringify(asJson(line, owner))}\n` : row(line, owner))).join(""),
  );
  return code;
}

async function follow(context: Context, files: () => Result<readonly string[]>, json: boolean): Promise<number> {
  const seen = new Map<string, number>();
  const now = files();
  if (now.ok) for (const file of now.value) seen.set(file, readCount(file));
  while (!context.stopped.aborted) {
    await context.clock.sleep(300);
    show(context, files(), json, seen);
  }
  return 0;
}

function readCount(file: string): number {
  const log = readLog(file);
  return log.ok ? log.value.length : 0;
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
  return text.length <= askedShown ? text : `${text.slice(0, askedShown)}…`;
}

const askedShown = 80;
