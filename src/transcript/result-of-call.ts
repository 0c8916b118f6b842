import { closeSync, constants, openSync } from "node:fs";
import { readSome } from "../base/descriptors.ts";
import { lineBytesMax } from "../base/limits.ts";
import { LineCutter } from "../base/lines.ts";
import { causeOf, codeOf, done, failed, type Result } from "../base/result.ts";

/** What a transcript says of one harness call: its tool's answer, in the terms of a `tool_result` event. */
export interface TranscriptResult {
  readonly isError: boolean;
  readonly text: string;
  readonly details: unknown;
}

/**
 * The newest result of a harness call in a transcript (OMP's or Claude Code's form), or null when there is none yet or no file. Only lines
 * that hold the id are decoded, so a long transcript costs one pass over its bytes. A complete line that holds the id and is no JSON record is an error naming its byte.
 */
export function resultOfCall(path: string, harnessCall: string): Result<TranscriptResult | null> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY);
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT" ? done(null) : failed(`cannot read the transcript ${path}: ${causeOf(thrown)}`);
  }
  try {
    return search(path, descriptor, harnessCall);
  } catch (thrown) {
    return failed(`cannot read the transcript ${path}: ${causeOf(thrown)}`);
  } finally {
    closeSync(descriptor);
  }
}

function search(path: string, descriptor: number, harnessCall: string): Result<TranscriptResult | null> {
  const lines = new LineCutter(lineBytesMax);
  const wanted = Buffer.from(JSON.stringify(harnessCall));
  let newest: TranscriptResult | null = null;
  let at = 0;
  for (;;) {
    const chunk = readSome(descriptor, 1024 * 1024);
    if (chunk.length === 0) return done(newest);
    for (const line of lines.push(chunk)) {
      if (line === null) return failed(`cannot read the transcript ${path}: a line is over the limit`);
      if (line.includes(wanted)) {
        const record = parse(line);
        if (record === undefined)
          return failed(`cannot read the transcript ${path}: the line starting at byte ${at} is not a JSON record`);
        newest = resultIn(record, harnessCall) ?? newest;
      }
      at += line.length + 1;
    }
  }
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

function resultIn(record: unknown, harnessCall: string): TranscriptResult | null {
  const message = field(record, "message");
  if (field(message, "role") === "toolResult" && field(message, "toolCallId") === harnessCall) {
    return {
      isError: field(message, "isError") === true,
      text: textOf(field(message, "content")),
      details: field(message, "details"),
    };
  }
  const content = field(message, "content");
  if (!Array.isArray(content)) return null;
  for (const block of content) {
    if (field(block, "type") !== "tool_result" || field(block, "tool_use_id") !== harnessCall) continue;
    const details = {
      toolDenialKind: field(record, "toolDenialKind"),
      toolUseResult: field(record, "toolUseResult"),
      harnessVersion: field(record, "version"),
    };
    return { isError: field(block, "is_error") === true, text: textOf(field(block, "content")), details };
  }
  return null;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block) => (typeof field(block, "text") === "string" ? String(field(block, "text")) : ""))
    .join("\n");
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
