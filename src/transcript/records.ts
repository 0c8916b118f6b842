import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";

/**
 * The line rules of a transcript, the same for every harness. Lines end at 0x0A only. A byte order mark at the start, CRLF and blank
 * lines are no fault; two or more records glued on one line are read as such when every part is one. A complete line that is no JSON
 * object stops the reading at its first byte. What stands after the last newline is being written and is set aside.
 */
export interface RecordsEnd {
  /** The first byte that was not read: the broken line's, the torn tail's, or the end of the file. */
  readonly offset: number;
  readonly setAside: boolean;
  readonly broken: Broken | null;
  /** How many lines end before `offset`. */
  readonly lines: number;
}

export interface Broken {
  readonly byte: number;
  readonly cause: string;
}

export interface RecordsRequest {
  readonly descriptor: number;
  /** A byte at which a line starts. */
  readonly from: number;
  /** Bytes of broken lines that the operator accepted: those lines are passed over. */
  readonly accepted: ReadonlySet<number>;
  /** `line` counts from 0 at `from`. `enough` ends the reading before the file does. */
  readonly take: (record: object, at: number, line: number) => "enough" | undefined;
}

/** A longer line is refused with its byte: its text, its values and the buffers around it must fit a small process. */
const transcriptLineBytesMax = 32 * 1024 * 1024;
const chunkBytes = 256 * 1024;

export function readRecords(request: RecordsRequest): RecordsEnd {
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  const line = new HeldLine();
  let lineStart = request.from;
  let lines = 0;
  let at = request.from;
  for (;;) {
    const count = readSync(request.descriptor, chunk, 0, chunkBytes, at);
    if (count === 0) return { offset: lineStart, setAside: line.length > 0, broken: null, lines };
    const bytes = chunk.subarray(0, count);
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      const whole = line.length === 0 ? bytes.subarray(from, end) : line.completed(bytes.subarray(from, end));
      const outcome = whole === null ? { cause: tooLong } : takeLine(whole, lineStart, lines, request.take);
      if (outcome !== "read" && outcome !== "enough" && !request.accepted.has(lineStart))
        return { offset: lineStart, setAside: false, broken: { byte: lineStart, cause: outcome.cause }, lines };
      line.clear();
      from = end + 1;
      lineStart = at + from;
      lines++;
      if (outcome === "enough") return { offset: lineStart, setAside: false, broken: null, lines };
    }
    line.hold(bytes.subarray(from));
    at += count;
  }
}

const tooLong = `it is longer than ${transcriptLineBytesMax} bytes`;

/** A line that began in an earlier chunk. Past the limit its bytes are let go and only counted. */
class HeldLine {
  length = 0;
  #parts: Buffer[] = [];

  hold(part: Uint8Array): void {
    if (part.length === 0) return;
    this.length += part.length;
    if (this.length > transcriptLineBytesMax) this.#parts = [];
    else this.#parts.push(Buffer.from(part));
  }

  completed(last: Uint8Array): Buffer | null {
    if (this.length + last.length > transcriptLineBytesMax) return null;
    return Buffer.concat([...this.#parts, last]);
  }

  clear(): void {
    this.length = 0;
    this.#parts = [];
  }
}

type LineOutcome = "read" | "enough" | { readonly cause: string };

/** Hands over the records of one line; the cause when it holds anything else. */
function takeLine(whole: Buffer, start: number, number: number, take: RecordsRequest["take"]): LineOutcome {
  const mark = start === 0 && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0;
  const line = mark === 0 ? whole : whole.subarray(mark);
  if (isBlank(line)) return "read";
  if (!isUtf8(line)) return { cause: "it is not UTF-8" };
  const parsed = parseObject(line);
  if (typeof parsed !== "string") return take(parsed, start, number) ?? "read";
  const glued = gluedRecords(line);
  if (glued === null) return { cause: parsed };
  for (const part of glued) if (take(part.record, start + mark + part.at, number) === "enough") return "enough";
  return "read";
}

function isBlank(line: Buffer): boolean {
  for (let at = 0; at < line.length; at++)
    if (line[at] !== 0x20 && line[at] !== 0x09 && line[at] !== 0x0d) return false;
  return true;
}

function parseObject(line: Buffer): object | string {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : "it is no JSON object";
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

interface Part {
  readonly record: object;
  readonly at: number;
}

/** Two writers, or one that lost its newline, put records on one line as `}{`. Null unless every part is a record. */
function gluedRecords(line: Buffer): readonly Part[] | null {
  const parts: Part[] = [];
  for (let at = 0; at < line.length; ) {
    const end = endOfObject(line, at);
    if (end === null) return isBlank(line.subarray(at)) && parts.length > 1 ? parts : null;
    const record = parseObject(line.subarray(at, end));
    if (typeof record === "string") return null;
    parts.push({ record, at });
    at = end;
  }
  return parts.length > 1 ? parts : null;
}

/** The byte after the object that starts at `from`; null when none starts there or it does not end. */
function endOfObject(line: Buffer, from: number): number | null {
  if (line[from] !== 0x7b) return null;
  let depth = 0;
  let quoted = false;
  for (let at = from; at < line.length; at++) {
    const byte = line[at];
    if (quoted) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
