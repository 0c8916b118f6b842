import { type Meaning, stillRuns } from "../calls/result-meaning.ts";
import type { AnswerEntry, Entry, FormatName, HarnessEntry, ResultEntry, TranscriptCall } from "./entry.ts";
import { type Files, keepTexts } from "./known-files.ts";
import { ledgerRestart, mootsLooks } from "./ledger-restart.ts";
import { meaningOf, takeOpenCall } from "./open-calls.ts";
import { lookKey, type OpenCall, openedCall } from "./opened-call.ts";
import { plainWords } from "./plain-words.ts";
import type { Fold } from "./resume.ts";

/**
 * The ledger of looks and changes (design: gates, "What could have changed the answer" and "The same look"): what this session has seen
 * since something last happened that could change it. Only that is kept, and answers as places in the file, so it stays small.
 */
export interface Ledger {
  /** Looks made since the last change, by identity. */
  looks: Record<string, Look>;
  /** How many of them there are. */
  seen: number;
  /** Calls without an answer, by the harness's id. */
  open: Record<string, OpenCall>;
  /** Where the newest call ran, where the harness says so. */
  directory: string | null;
  /** What a call put on the clipboard since a person last wrote; its text is null where only that run could tell, or it could not. */
  clipboard: { text: string | null; failed?: true } | null;
  /** Short files this session wrote whole with a known text, by path, as long as nothing may have changed them. */
  files: Files;
  /** An ending was sent back and no person wrote since; `worked` = a change or a first look came after it. */
  refusedStop: { readonly at: number; worked: boolean } | null;
  /** What endings said that were sent back since the last change or a person's message; in plain words. */
  refusedEndings: string[];
  /** The newest assistant message. */
  answer: { message: string | null; text: string } | null;
}

export interface Look {
  /** When it answered. */
  readonly time: string | null;
  /** The byte of the record that holds its answer, and the harness's id of the call. */
  readonly at: number;
  readonly call: string;
  readonly message: string | null;
  /** A failure is the repeat rule's to hold; here it only counts as seen. */
  readonly failed: boolean;
  /** A look at the session's own plan, or a write of it. */
  readonly plan?: true;
  /** The file that it read. */
  readonly file?: string;
}

export const ledgerFold: Fold<Ledger> = {
  empty: () => ({
    looks: {},
    seen: 0,
    open: {},
    directory: null,
    clipboard: null,
    files: {},
    refusedStop: null,
    refusedEndings: [],
    answer: null,
  }),
  take: (ledger, entry, format) => take(ledger, entry, format),
  restart: {
    at: (ledger, entries, format) =>
      ledgerRestart(entries, format, ledger.refusedStop !== null || ledger.refusedEndings.length > 0),
    skim,
  },
};

/** What stays of entries that count for nothing else any more: what was said last, where it ran, and the calls still without an answer. */
function skim(ledger: Ledger, entries: readonly Entry[], format: FormatName): void {
  const answers = entries.filter((entry) => entry.kind === "answer");
  const asked = new Map<string, { readonly call: TranscriptCall; readonly by: AnswerEntry }>();
  for (const entry of entries) {
    if (entry.kind === "person") take(ledger, entry, format);
    else if (entry.kind === "answer") {
      takeWords(ledger, entry);
      for (const call of entry.calls) {
        delete ledger.open[call.id];
        asked.set(call.id, { call, by: entry });
        ledger.directory = call.directory ?? ledger.directory;
      }
    } else if (entry.kind === "result" && !asked.delete(entry.call)) delete ledger.open[entry.call];
  }
  for (const open of Object.values(ledger.open)) open.late ||= answers.some((answer) => isLater(answer, open));
  for (const [id, { call, by }] of asked) {
    const late = answers.slice(answers.indexOf(by)).some((answer) => isLater(answer, by) && answer !== by);
    ledger.open[id] = { ...openedCall(call, format, by.message, {}), late };
  }
  keepNewest(ledger);
}

function take(ledger: Ledger, entry: Entry, format: FormatName): void {
  switch (entry.kind) {
    case "person":
      forgetLooks(ledger);
      ledger.clipboard = null;
      ledger.files = {};
      ledger.refusedStop = null;
      ledger.refusedEndings = [];
      return;
    case "harness":
      takeHarness(ledger, entry);
      return;
    case "answer":
      takeAnswer(ledger, entry, format);
      return;
    case "result":
      takeResult(ledger, entry, format);
  }
}

function takeHarness(ledger: Ledger, entry: HarnessEntry): void {
  if (mootsLooks(entry)) forgetLooks(ledger);
  if (entry.about !== "refused-stop") return;
  ledger.refusedStop = { at: entry.at, worked: false };
  const said = plainWords(ledger.answer?.text ?? "");
  if (said !== "" && !ledger.refusedEndings.includes(said)) ledger.refusedEndings.push(said);
}

function takeAnswer(ledger: Ledger, entry: AnswerEntry, format: FormatName): void {
  takeWords(ledger, entry);
  for (const open of Object.values(ledger.open)) {
    if (open.late || !isLater(entry, open)) continue;
    open.late = true;
    // It may have run and changed something although no answer is known.
    if (open.effect !== "reads") forgetLooks(ledger);
  }
  for (const call of entry.calls) {
    ledger.open[call.id] = openedCall(call, format, entry.message, ledger.files);
    ledger.directory = call.directory ?? ledger.directory;
  }
  if (entry.calls.length > 0) keepNewest(ledger);
}

function takeWords(ledger: Ledger, entry: AnswerEntry): void {
  const same = ledger.answer !== null && entry.message !== null && ledger.answer.message === entry.message;
  const text = same && ledger.answer !== null ? `${ledger.answer.text}\n${entry.text}` : entry.text;
  ledger.answer = { message: entry.message, text: text.slice(-answerCharsMax) };
}

function isLater(answer: AnswerEntry, open: { readonly message: string | null }): boolean {
  return answer.message === null || open.message !== answer.message;
}

function keepNewest(ledger: Ledger): void {
  const ids = Object.keys(ledger.open);
  if (ids.length > openMax) for (const id of ids.slice(0, ids.length - openMax)) delete ledger.open[id];
}

/** Endings are short; this bounds memory, and what is compared is their end. */
const answerCharsMax = 64 * 1024;
/** Calls that will never be answered must not pile up for ever. */
const openMax = 512;

/** A call as it is asked about. */
export interface AskedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly call?: string | null | undefined;
  readonly cwd?: string | null | undefined;
}

/** The look that a call would be once more; null when it is none that is known. */
export function lookAsked(ledger: Ledger, format: FormatName, asked: AskedCall): Look | null {
  const key = keyAsked(ledger, format, asked);
  return (Object.hasOwn(ledger.looks, key) ? ledger.looks[key] : undefined) ?? null;
}

/** Whether the same call is known, answered or not yet. */
export function knowsSame(ledger: Ledger, format: FormatName, asked: AskedCall): boolean {
  const key = keyAsked(ledger, format, asked);
  return Object.hasOwn(ledger.looks, key) || Object.values(ledger.open).some((open) => open.key === key);
}

function keyAsked(ledger: Ledger, format: FormatName, asked: AskedCall): string {
  const directory = ledger.directory === null ? null : (asked.cwd ?? ledger.directory);
  return openCall(ledger, asked)?.key ?? lookKey(format, asked.tool, directory, asked.input);
}

/** The call itself, where the harness has written it already. A late one of the same id is an earlier call: some models number anew. */
export function openCall(ledger: Ledger, asked: Pick<AskedCall, "call">): OpenCall | undefined {
  const id = asked.call ?? null;
  const open = id === null || !Object.hasOwn(ledger.open, id) ? undefined : ledger.open[id];
  return open?.late === true ? undefined : open;
}

function takeResult(ledger: Ledger, entry: ResultEntry, format: FormatName): void {
  const open = takeOpenCall(ledger.open, entry, (call) => openedCall(call, format, null, ledger.files));
  if (open === null) return;
  const meaning = meaningOf(format, open.tool, entry);
  if (meaning.kind === "never-ran") return;
  takeTexts(ledger, open, meaning.kind);
  if (meaning.kind === "interrupted") {
    if (open.effect !== "reads") forgetLooks(ledger);
    return;
  }
  const failed = meaning.kind === "failed";
  if (meaning.kind === "failed" && meaning.changedOutside === true) forgetLooks(ledger);
  else if (meaning.kind === "failed" && meaning.readFirst === true) forgetReads(ledger, open.file);
  if (open.effect === "changes") {
    // A write or edit that failed wrote nothing; a command that failed may have done half.
    if (!(open.write && failed)) changed(ledger);
  } else if (open.effect === "waits") {
    forgetLooks(ledger);
    worked(ledger);
  } else seen(ledger, open, entry, failed);
}

function takeTexts(ledger: Ledger, open: OpenCall, outcome: Meaning["kind"]): void {
  if (open.texts?.copied !== undefined) {
    if (outcome === "succeeded") ledger.clipboard = { text: open.texts.copied };
    else if (outcome === "failed") ledger.clipboard ??= { text: null, failed: true };
  }
  ledger.files = keepTexts(ledger.files, open, outcome === "succeeded");
}

function seen(ledger: Ledger, open: OpenCall, entry: ResultEntry, failed: boolean): void {
  const known = Object.hasOwn(ledger.looks, open.key);
  if (!known) worked(ledger);
  // What an unknown program did may have changed every other answer, not its own.
  if (open.effect === "unknown") {
    const own = ledger.looks[open.key];
    forgetLooks(ledger);
    if (own !== undefined) keepLook(ledger, open.key, own);
  }
  if (open.plan === "writes" && !failed) forgetPlan(ledger, open.key);
  if (stillRuns(entry)) {
    // Its command goes on behind it: this was no answer, and what it does from now on may change any.
    if (Object.hasOwn(ledger.looks, open.key)) delete ledger.looks[open.key];
    return;
  }
  if (open.spoiled) return;
  const look: Look = { time: entry.time, at: entry.at, call: entry.call, message: open.message, failed };
  const { file, plan } = open;
  keepLook(ledger, open.key, {
    ...look,
    ...(plan === undefined ? {} : { plan: true }),
    ...(file === undefined ? {} : { file }),
  });
}

/** A plan that was written shows otherwise now, and an earlier one may be written back; the same written once more is still the same. */
function forgetPlan(ledger: Ledger, own: string): void {
  keepLooks(ledger, (look, key) => look.plan !== true || key === own);
  for (const open of Object.values(ledger.open)) if (open.plan === "shows") open.spoiled = true;
}

/** The harness wants a file read before it lets it be written, however well the session knows it. */
function forgetReads(ledger: Ledger, file: string | undefined): void {
  keepLooks(ledger, (look) => file !== undefined && look.file !== file);
}

function keepLooks(ledger: Ledger, stays: (look: Look, key: string) => boolean): void {
  const kept = Object.entries(ledger.looks).filter(([key, look]) => stays(look, key));
  ledger.looks = Object.fromEntries(kept);
  ledger.seen = kept.length;
}

/** The newest stand last; a session that only looks, without end, keeps no more than what is read back at every call in no time. */
function keepLook(ledger: Ledger, key: string, look: Look): void {
  if (Object.hasOwn(ledger.looks, key)) delete ledger.looks[key];
  else ledger.seen++;
  ledger.looks[key] = look;
  if (ledger.seen <= 2 * looksMax) return;
  ledger.looks = Object.fromEntries(Object.entries(ledger.looks).slice(-looksMax));
  ledger.seen = looksMax;
}

const looksMax = 4096;

function changed(ledger: Ledger): void {
  forgetLooks(ledger);
  worked(ledger);
  ledger.refusedEndings = [];
}

function worked(ledger: Ledger): void {
  if (ledger.refusedStop !== null) ledger.refusedStop.worked = true;
}

function forgetLooks(ledger: Ledger): void {
  ledger.looks = {};
  ledger.seen = 0;
  for (const open of Object.values(ledger.open)) open.spoiled = true;
}
