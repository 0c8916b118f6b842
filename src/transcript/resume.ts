import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { sha256 } from "../base/digest.ts";
import { causeOf, codeOf } from "../base/result.ts";
import { liveLong } from "../process/long-lived.ts";
import type { Entry, FormatName } from "./entry.ts";
import { entriesOf, formatNamed, isSubagentFile, sniffFormat } from "./format.ts";
import { openLazyFold } from "./lazy-fold.ts";
import { type Broken, readRecords } from "./records.ts";

/**
 * Reads a transcript through a fold, and again from where it stopped: a call costs what was appended, whatever the transcript's length.
 * What is remembered is believed only while the file is the same one (device, inode), no shorter, and the bytes about its beginning and
 * just before the place are the same; OMP rewrites its title line in place and replaces the file after a retry, so the title is no part
 * of that and a replaced file is read anew.
 */
export interface Fold<State> {
  readonly empty: () => State;
  /** Changes the state in place. Not asked for a record of which no entry comes. */
  readonly take: (state: State, entry: Entry, format: FormatName) => void;
  /**
   * For a fold of which most is moot in the end. `at` says from which of some entries on they must be taken one by one (0 = all of them),
   * and `skim` does to the state all that stays of the earlier ones. Both ways must come to the same state.
   */
  readonly restart?: {
    readonly at: (state: State, entries: readonly Entry[], format: FormatName) => number;
    readonly skim: (state: State, entries: readonly Entry[], format: FormatName) => void;
  };
}

/** How far a transcript was read, as kept in TAMA_HOME. The state must be plain JSON. */
export interface Saved<State> {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly offset: number;
  readonly mark: string;
  readonly format: FormatName | null;
  readonly state: State;
}

export interface ReadingRequest<State> {
  readonly path: string;
  /** The harness's name; any other text leaves the form to be seen from the records. */
  readonly harness: string;
  readonly accepted: ReadonlySet<number>;
  readonly fold: Fold<State>;
  readonly saved: Saved<State> | null;
}

export type Reading<State> =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly cause: string }
  | ReadTo<State>;

export interface ReadTo<State> {
  readonly kind: "read";
  readonly saved: Saved<State>;
  /** Bytes read now. */
  readonly appended: number;
  readonly setAside: boolean;
  /** Where reading stopped because a line is no record; the state is that of everything before it. */
  readonly broken: Broken | null;
}

export function readTranscript<State>(request: ReadingRequest<State>): Reading<State> {
  let descriptor: number;
  try {
    descriptor = openSync(request.path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT" ? { kind: "absent" } : { kind: "unreadable", cause: causeOf(thrown) };
  }
  try {
    if (!fstatSync(descriptor).isFile()) return { kind: "unreadable", cause: "it is no regular file" };
    return readOn(request, descriptor);
  } catch (thrown) {
    return { kind: "unreadable", cause: causeOf(thrown) };
  } finally {
    closeSync(descriptor);
  }
}

function readOn<State>(request: ReadingRequest<State>, descriptor: number): ReadTo<State> {
  const about = fstatSync(descriptor);
  const { saved, fold } = request;
  const goesOn =
    saved !== null &&
    saved.path === request.path &&
    saved.device === about.dev &&
    saved.inode === about.ino &&
    saved.offset <= about.size &&
    saved.mark === markBefore(descriptor, saved.offset);
  const from = goesOn ? saved.offset : 0;
  if (about.size - from > worthCompiling) liveLong();
  const state = goesOn ? saved.state : fold.empty();
  let format = formatNamed(request.harness) ?? (goesOn ? saved.format : null);
  const ofSubagent = isSubagentFile(request.path);
  const lazily = openLazyFold(fold, state);
  const end = readRecords({
    descriptor,
    from,
    accepted: request.accepted,
    take: (record, at) => {
      format ??= sniffFormat(record);
      if (format === null) return undefined;
      for (const entry of entriesOf(format, record, at, ofSubagent)) lazily.take(entry, format);
      return undefined;
    },
  });
  lazily.settle();
  const { offset, setAside, broken } = end;
  const mark = markBefore(descriptor, offset);
  return {
    kind: "read",
    saved: { path: request.path, device: about.dev, inode: about.ino, offset, mark, format, state },
    appended: offset - from,
    setAside,
    broken,
  };
}

/**
 * From so many bytes on compiled code earns back in one reading what it costs a process that else runs in the interpreter (measured: even
 * at 12 to 45 MB, by how much of a session is judged; at 200 MB an eighth less).
 */
const worthCompiling = 48 * 1024 * 1024;

const markBytes = 4096;
const title = '{"type":"title"';

/** Digest of the first bytes after OMP's title line and of the last ones before `offset`. */
function markBefore(descriptor: number, offset: number): string {
  const head = bytesAt(descriptor, 0, Math.min(offset, 2 * markBytes));
  const mark = head[0] === 0xef ? 3 : 0;
  const titled = head.subarray(mark, mark + title.length).toString("latin1") === title;
  const after = titled ? head.indexOf(10) + 1 || offset : 0;
  const from = Math.max(after, offset - markBytes);
  const tail = from < offset ? bytesAt(descriptor, from, offset - from) : Buffer.alloc(0);
  return sha256(Buffer.concat([head.subarray(Math.min(after, head.length), after + markBytes), tail]));
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
