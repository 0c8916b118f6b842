import { printable } from "../base/printable.ts";
import { replaceFile } from "../disk/replace-file.ts";
import { liveLong } from "../process/long-lived.ts";
import { findSessions, ownFolders } from "../replay/find-sessions.ts";
import { endingGates, replayedGates } from "../replay/gates-asked.ts";
import { playAll } from "../replay/play-all.ts";
import type { SessionReplay } from "../replay/session-replay.ts";
import { told } from "../replay/told.ts";
import { totalsOf } from "../replay/totals.ts";
import { formatNames } from "../transcript/entry.ts";
import { formatNamed } from "../transcript/format.ts";
import type { Command, Context, Given } from "./command.ts";
import { openProgressLine } from "./progress-line.ts";

export const command: Command = {
  usage: "replay [<transcript or folder>…] [--mine] [--harness <name>] [--gate <id>[,<id>…]] [--json] [--html <file>]",
  about: [
    "Plays finished transcripts through the gates that would run live, and says of each refusal whether the transcript shows it right:",
    "the refused call got the same answer there (right), another one or success (wrong), or nothing that tells (undecided).",
  ].join(" "),
  example: "tama replay --mine --html replay.html",
  args: {
    transcripts: {
      type: "positional",
      required: false,
      valueHint: "…",
      description: "transcripts of OMP, Claude Code, Codex, Gemini CLI or pi, or folders of them",
    },
    mine: { type: "boolean", description: "every session of OMP, Claude Code, Codex and pi in your home" },
    harness: { type: "string", valueHint: "name", description: "whose they are; else seen from their records" },
    gate: {
      type: "string",
      valueHint: "id[,id…]",
      description: `these gates only, of ${replayedGates.join(", ")}`,
    },
    json: { type: "boolean", description: "totals and every session as JSON" },
    html: { type: "string", valueHint: "file", description: "also write one page to look at" },
  },
  run: async (context, given) => {
    const wrong = whyNot(given);
    if (wrong !== null) {
      context.err(`tama replay: ${wrong}\nusage: tama ${command.usage}\n`);
      return 2;
    }
    liveLong();
    return await replay(context, given);
  },
};

function whyNot(given: Given): string | null {
  const harness = given.text("harness");
  if (harness !== undefined && formatNamed(harness) === null)
    return `there is no harness ${JSON.stringify(harness)}; there are ${formatNames.join(", ")}`;
  const gate = gatesNamed(given)?.find((one) => !replayedGates.includes(one));
  if (gate !== undefined)
    return `there is no gate ${JSON.stringify(gate)} to replay; there are ${replayedGates.join(", ")}`;
  if (given.words.length > 0 || given.flag("mine")) return null;
  return "name transcripts or folders, or --mine for all sessions of this machine";
}

function gatesNamed(given: Given): readonly string[] | undefined {
  const named = given.text("gate")?.split(",");
  return named === undefined ? undefined : [...new Set(named)];
}

async function replay(context: Context, given: Given): Promise<number> {
  const own = given.flag("mine") ? ownFolders(context.userHome, context.environment) : [];
  const found = findSessions(given.words);
  const mine = findSessions(own.map((one) => one.folder));
  for (const path of found.missing) context.err(`replay: ${path}: there is no such file or folder\n`);
  const files = [...new Map([...found.files, ...mine.files].map((file) => [file.path, file])).values()];
  if (files.length === 0) {
    const where = [...given.words, ...own.map((one) => one.folder)].join(", ");
    context.err(`replay: no session was found in ${where}\n`);
    return 1;
  }
  const gates = gatesNamed(given) ?? replayedGates;
  const progress = openProgress(
    context,
    files.length,
    files.reduce((sum, file) => sum + file.bytes, 0),
  );
  const from = context.clock.ticks();
  const { userHome, cwd, environment, clock } = context;
  const sessions = await playAll({
    files,
    harness: given.text("harness") ?? "",
    gates,
    sources: { tamaHome: context.home.root, userHome, cwd, environment, clock },
    program: context.program,
    stopped: context.stopped,
    onProgress: progress.show,
  });
  progress.clear();
  return await tell(context, given, {
    sessions,
    gates,
    seconds: (clock.ticks() - from) / 1000,
    missed: found.missing.length,
  });
}

interface Played {
  readonly sessions: readonly SessionReplay[];
  readonly gates: readonly string[];
  readonly seconds: number;
  readonly missed: number;
}

async function tell(context: Context, given: Given, { sessions, gates, seconds, missed }: Played): Promise<number> {
  const totals = totalsOf(sessions, gates, endingGates);
  const json = given.flag("json");
  context.out(
    json
      ? `${JSON.stringify({ totals, seconds, sessions })}\n`
      : told(sessions, totals, seconds, await context.colour()),
  );
  const unread = sessions.filter(({ stopped }) => stopped !== null);
  for (const session of unread) context.err(`replay: ${session.path}: ${whyUnread(session)}\n`);
  const page = given.text("html");
  if (page !== undefined) {
    const { pageOf } = await import("../replay/page.ts");
    const written = replaceFile(page, pageOf(sessions, totals, context.clock.iso()), 0o644);
    if (!written.ok) {
      context.err(`replay: ${written.cause}\n`);
      return 1;
    }
    if (!json) context.out(`The page: ${page}\n`);
  }
  // In a folder one may be anything; a file that was named is meant.
  const isNamed = unread.some(({ path }) => given.words.includes(path));
  return missed === 0 && !isNamed ? 0 : 1;
}

function whyUnread({ stopped, calls, endings }: SessionReplay): string {
  const cause = printable(stopped?.cause ?? "");
  return calls + endings === 0 ? cause : `${cause}; what stands before it was played`;
}

/** How far the work is, on one line. */
function openProgress(context: Context, files: number, bytes: number) {
  const line = openProgressLine(context);
  let shown = 0;
  const from = context.clock.ticks();
  return {
    show: (now: { readonly bytes: number; readonly sessions: number; readonly refusals: number }): void => {
      const at = context.clock.ticks();
      if (at - shown < 100) return;
      shown = at;
      const part = bytes === 0 ? 100 : Math.floor((100 * now.bytes) / bytes);
      const speed = Math.round(now.bytes / 1000 / Math.max(1, at - from));
      line.show(`${part} %  ${now.sessions} of ${files} sessions  ${now.refusals} refusals  ${speed} MB/s`);
    },
    clear: line.clear,
  };
}
