import { statSync } from "node:fs";
import { basename, join } from "node:path";
import * as v from "valibot";
import { done, failed, type Result } from "../base/result.ts";
import type { Home } from "../disk/home.ts";
import { listFolder } from "../disk/list-folder.ts";
import { readTextFile } from "../disk/read-text-file.ts";
import { type LogLine, logLineSchema } from "../words/records.ts";

/** The lines of one log; a torn last line is set aside, a broken complete one is an error naming its byte (contract 5). */
export function readLog(path: string): Result<readonly LogLine[]> {
  const text = readTextFile(path);
  if (!text.ok) return text;
  const lines: LogLine[] = [];
  let at = 0;
  const parts = (text.value ?? "").split("\n");
  for (const part of parts.slice(0, -1)) {
    const line = part === "" ? null : decode(part);
    if (line === undefined) return failed(`cannot decode ${path}: the line starting at byte ${at} is no log line`);
    if (line !== null) lines.push(line);
    at += Buffer.byteLength(part) + 1;
  }
  return done(lines);
}

function decode(text: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const parsed = v.safeParse(logLineSchema, value);
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Every session's log, newest written last is not promised: the names as they stand. */
export function logFiles(home: Home): Result<readonly string[]> {
  const names = listFolder(home.log, ".jsonl");
  return names.ok ? done(names.value.map((name) => join(home.log, name))) : names;
}

/** How long a log is; 0 where it is not there, -1 where that cannot be told, which reading it says. */
export function logBytes(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return -1;
  }
}

export interface FoundRefusal {
  readonly line: LogLine;
  readonly owner: LogOwner;
}

/** The dispatch that gave a refusal, or null. Broken logs are told beside it, for the line may be in one. */
export function findRefusal(
  home: Home,
  refusal: string,
): { readonly found: FoundRefusal | null; readonly errors: readonly string[] } {
  const errors: string[] = [];
  const files = logFiles(home);
  if (!files.ok) return { found: null, errors: [files.cause] };
  for (const file of files.value) {
    const log = readLog(file);
    if (!log.ok) errors.push(log.cause);
    const line = log.ok ? log.value.find((one) => one.refusal === refusal) : undefined;
    if (line !== undefined) return { found: { line, owner: ownerOfLog(file) }, errors };
  }
  return { found: null, errors };
}

export interface LogOwner {
  readonly session: string;
  /** Null = the main agent. */
  readonly agentId: string | null;
}

/** A log's name back to whose it is, as far as it was not cut. */
export function ownerOfLog(file: string): LogOwner {
  const name = basename(file).replace(/\.jsonl$/, "");
  // A cut name ends in `~~` and a digest; only one that is whole tells the agent apart.
  const at = name.includes("~~") ? -1 : name.indexOf("~");
  if (at === -1) return { session: decoded(name), agentId: null };
  return { session: decoded(name.slice(0, at)), agentId: decoded(name.slice(at + 1)) };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
