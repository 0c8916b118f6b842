import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";
import type { AnswerEntry, Entry, FormatName } from "./entry.ts";
import { textField } from "./fields.ts";
import { entriesOf, formatNamed, isSubagentFile, sniffFormat } from "./format.ts";
import { readRecords } from "./records.ts";
import type { Fold } from "./resume.ts";

/** Where a transcript stood: its length, and the id of its last whole record (null where its harness gives records none). */
export interface Position {
  readonly bytes: number;
  readonly lastEntry: string | null;
}

export interface TailRequest {
  readonly path: string;
  readonly harness: string;
  readonly accepted: ReadonlySet<number>;
}

/** Where the transcript stands now; null when there is none. */
export function positionOf(path: string): Result<Position | null> {
  return opened<Position | null>(path, done(null), (descriptor) => {
    const bytes = fstatSync(descriptor).size;
    return done({ bytes, lastEntry: idBefore(descriptor, bytes) });
  });
}

/**
 * Folds what was written after a position, record by record. A file replaced since (OMP does after a retry) is searched for the record the
 * position names. Fails where it cannot be measured: gone, shorter without that record, or with a line that is no record.
 */
export function foldSince<State>(request: TailRequest, since: Position, fold: Fold<State>): Result<State> {
  return opened<State>(request.path, failed("it is not there"), (descriptor) => {
    const from = placeOf(descriptor, since, request.accepted);
    if (from === null) return failed("the place of the last ending is not found in it");
    const state = fold.empty();
    let format = formatNamed(request.harness);
    const end = readRecords({
      descriptor,
      from,
      accepted: request.accepted,
      take: (record, at) => {
        format ??= sniffFormat(record);
        for (const entry of entriesIn(request, format, record, at)) fold.take(state, entry, format ?? "omp");
        return undefined;
      },
    });
    return end.broken === null ? done(state) : brokenAt(end.broken);
  });
}

const windows = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024, Number.MAX_SAFE_INTEGER];

/** The newest assistant record, read back from the end; every line from it on must be a record. */
export function lastAnswer(request: TailRequest): Result<AnswerEntry | null> {
  return opened<AnswerEntry | null>(request.path, done(null), (descriptor) => {
    const size = fstatSync(descriptor).size;
    for (const window of windows) {
      const from = lineStartAt(descriptor, Math.max(0, size - window), size);
      const found: { last: AnswerEntry | null } = { last: null };
      let format = formatNamed(request.harness);
      const end = readRecords({
        descriptor,
        from,
        accepted: request.accepted,
        take: (record, at) => {
          format ??= sniffFormat(record);
          for (const entry of entriesIn(request, format, record, at)) if (entry.kind === "answer") found.last = entry;
          return undefined;
        },
      });
      if (end.broken !== null) return brokenAt(end.broken);
      if (found.last !== null || from === 0) return done(found.last);
    }
    return done(null);
  });
}

function entriesIn(request: TailRequest, format: FormatName | null, record: object, at: number): readonly Entry[] {
  return format === null ? [] : entriesOf(format, record, at, isSubagentFile(request.path));
}

function brokenAt(broken: { readonly byte: number; readonly cause: string }): Result<never> {
  return failed(`the line starting at byte ${broken.byte} is not a JSON record: ${broken.cause}`);
}

/** The byte after the record a position names. Null when the file no longer holds it. */
function placeOf(descriptor: number, since: Position, accepted: ReadonlySet<number>): number | null {
  const size = fstatSync(descriptor).size;
  const there =
    since.bytes <= size && (since.lastEntry === null || idBefore(descriptor, since.bytes) === since.lastEntry);
  if (there) return lineStartBefore(descriptor, since.bytes);
  if (since.lastEntry === null) return null;
  let found: number | null = null;
  let next = false;
  readRecords({
    descriptor,
    from: 0,
    accepted,
    take: (record, at) => {
      if (next) found = at;
      next = idOf(record) === since.lastEntry;
      if (next) found = size;
      return undefined;
    },
  });
  return found;
}

function idOf(record: unknown): string | null {
  return textField(record, "id") ?? textField(record, "uuid");
}

/** The id of the last whole record before `bytes`. Records without one (OMP's title, Codex's) give null. */
function idBefore(descriptor: number, bytes: number): string | null {
  const end = lineStartBefore(descriptor, bytes);
  if (end === 0) return null;
  const start = lineStartBefore(descriptor, end - 1);
  try {
    return idOf(JSON.parse(bytesAt(descriptor, start, end - start).toString()));
  } catch {
    return null;
  }
}

/** The start of the line that holds the byte before `bytes`, or `bytes` itself right after a newline. */
function lineStartBefore(descriptor: number, bytes: number): number {
  let end = bytes;
  for (let step = 8 * 1024; ; step = Math.min(step * 4, 4 * 1024 * 1024)) {
    const from = Math.max(0, end - step);
    const newline = bytesAt(descriptor, from, end - from).lastIndexOf(10);
    if (newline !== -1) return from + newline + 1;
    if (from === 0) return 0;
    end = from;
  }
}

/** The first line that starts at or after `from`. */
function lineStartAt(descriptor: number, from: number, size: number): number {
  if (from === 0) return 0;
  for (let at = from - 1; at < size; at += 64 * 1024) {
    const newline = bytesAt(descriptor, at, 64 * 1024).indexOf(10);
    if (newline !== -1) return at + newline + 1;
  }
  return size;
}

function bytesAt(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const count = readSync(descriptor, bytes, got, length - got, from + got);
    if (count === 0) break;
    got += count;
  }
  return bytes.subarray(0, got);
}

/** `absent` is the answer where there is no such file. */
function opened<T>(path: string, absent: Result<T>, read: (descriptor: number) => Result<T>): Result<T> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT" ? absent : failed(causeOf(thrown));
  }
  try {
    return fstatSync(descriptor).isFile() ? read(descriptor) : failed("it is no regular file");
  } catch (thrown) {
    return failed(causeOf(thrown));
  } finally {
    closeSync(descriptor);
  }
}
