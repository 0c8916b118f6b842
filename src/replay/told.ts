import { firstLine } from "../base/printable.ts";
import type { Refused, SessionReplay } from "./session-replay.ts";
import type { Counts, Totals } from "./totals.ts";

/** The refusals and the totals as a person reads them in a terminal. */
export function told(sessions: readonly SessionReplay[], totals: Totals, seconds: number, colour: boolean): string {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const rows: string[] = [];
  for (const session of sessions) {
    if (session.refusals.length === 0) continue;
    rows.push(paint(1, session.path));
    for (const refused of session.refusals) rows.push(...refusalRows(refused, paint));
    rows.push("");
  }
  rows.push(...tableRows(totals, paint), "", summary(totals, seconds));
  return `${rows.join("\n")}\n`;
}

const colours = { right: 32, wrong: 31, undecided: 33 } as const;

function refusalRows(refused: Refused, paint: (code: number, text: string) => string): readonly string[] {
  const where = refused.line === null ? `byte ${refused.byte}` : `line ${refused.line} (byte ${refused.byte})`;
  const what = refused.tool === null ? "ending" : refused.tool;
  return [
    `  ${where}  ${refused.gate}  ${paint(colours[refused.judgement], refused.judgement)}: ${refused.because}`,
    `    ${what}  ${shortened(refused.shown)}`,
    paint(2, `    ${shortened(refused.reason)}`),
  ];
}

function shortened(text: string): string {
  const line = firstLine(text);
  return line.length > shownChars ? `${line.slice(0, shownChars)}…` : line;
}

const shownChars = 150;

function tableRows(totals: Totals, paint: (code: number, text: string) => string): readonly string[] {
  const rows = [["gate", "asked", "refused", "right", "wrong", "undecided"]];
  for (const { gate, asked, byKind, ...counts } of totals.gates) {
    rows.push([gate, String(asked), ...cells(counts)]);
    for (const [kind, own] of Object.entries(byKind)) rows.push([`  ${kindNames[kind] ?? kind}`, "", ...cells(own)]);
  }
  const widths = rows[0]?.map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.map((row, index) => {
    const line = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)));
    return index === 0 ? paint(1, line.join("  ")) : line.join("  ");
  });
}

/** What stands in a transcript's place for kinds of refused calls, in a person's words. */
export const kindNames: Readonly<Record<string, string>> = {
  local: "of files here",
  outside: "of processes, jobs, remote state",
  unknown: "of programs nobody knows",
  failed: "of a failed call",
  unanswered: "of an unanswered call",
  refused: "of a refused call",
};

function cells(counts: Counts): readonly string[] {
  return [counts.refusals, counts.right, counts.wrong, counts.undecided].map(String);
}

function summary(totals: Totals, seconds: number): string {
  const megabytes = totals.bytes / 1_000_000;
  const speed = seconds > 0 ? `, ${(megabytes / seconds).toFixed(0)} MB/s` : "";
  const stopped = totals.stopped === 0 ? "" : `; ${totals.stopped} could not be read to their end`;
  const counted = [`${totals.sessions} session`, `${totals.calls} call`, `${totals.endings} ending`]
    .map((one) => (one.startsWith("1 ") ? one : `${one}s`))
    .join(", ");
  return `${counted}, ${megabytes.toFixed(1)} MB in ${seconds.toFixed(1)} s${speed}${stopped}`;
}
