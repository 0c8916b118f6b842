import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { causeOf, codeOf } from "../base/result.ts";
import type { Entry, FormatName } from "./entry.ts";
import { entriesOf, folderOf, formatNamed, isSubagentFile, sniffFormat } from "./format.ts";
import { type Broken, readRecords } from "./records.ts";

/** Some of a transcript's entries, in order, and how far the file was read when they were handed over. */
export interface Part {
  readonly format: FormatName | null;
  /** The folder the session works in, where its head says so; null too where each call says it. */
  readonly folder: string | null;
  readonly entries: readonly Entry[];
  /** The number, from 1, of the line in which each entry so far begins, by its byte. */
  readonly lines: ReadonlyMap<number, number>;
  readonly offset: number;
}

export type PartsEnd =
  | { readonly kind: "read"; readonly bytes: number; readonly broken: Broken | null }
  | { readonly kind: "unreadable"; readonly cause: string };

/**
 * A whole transcript, a part at a time, for whoever must do something that takes a while with each entry: no more than a part is held.
 * Ends by returning how it ended; a broken line ends it at its byte.
 */
export async function* entriesInParts(path: string, harness: string): AsyncGenerator<Part, PartsEnd, undefined> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    return { kind: "unreadable", cause: codeOf(thrown) === "ENOENT" ? "there is no such file" : causeOf(thrown) };
  }
  try {
    const about = fstatSync(descriptor);
    if (!about.isFile()) return { kind: "unreadable", cause: "it is no regular file" };
    const ofSubagent = isSubagentFile(path);
    let format = formatNamed(harness);
    let folder: string | null = null;
    const lines = new Map<number, number>();
    let from = 0;
    let before = 1;
    for (;;) {
      const entries: Entry[] = [];
      const start = from;
      const end = readRecords({
        descriptor,
        from,
        accepted: new Set(),
        take: (record, at, line) => {
          format ??= sniffFormat(record);
          folder ??= folderOf(record);
          const own = format === null ? [] : entriesOf(format, record, at, ofSubagent);
          entries.push(...own);
          if (own.length > 0) lines.set(at, before + line);
          return at - start >= partBytes ? "enough" : undefined;
        },
      });
      from = end.offset;
      before += end.lines;
      yield { format, folder, entries, lines, offset: from };
      if (end.broken !== null) return { kind: "read", bytes: from, broken: end.broken };
      if (from === start || end.setAside || from >= about.size) return { kind: "read", bytes: from, broken: null };
    }
  } catch (thrown) {
    return { kind: "unreadable", cause: causeOf(thrown) };
  } finally {
    closeSync(descriptor);
  }
}

/** Small against memory, large against the cost of beginning to read again. */
const partBytes = 1024 * 1024;
