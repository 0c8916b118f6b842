import { claudeCodeEntries } from "./claude-code.ts";
import { codexEntries } from "./codex.ts";
import { type Entry, type FormatName, formatNames } from "./entry.ts";
import { field, textField } from "./fields.ts";
import { geminiEntries } from "./gemini.ts";
import { ompEntries } from "./omp.ts";

/** The entries of one record, in order; most of a transcript's records carry none. */
export function entriesOf(format: FormatName, record: object, at: number, ofSubagent: boolean): readonly Entry[] {
  switch (format) {
    case "omp":
    case "pi":
      return ompEntries(record, at);
    case "claude-code":
      return claudeCodeEntries(record, at, ofSubagent);
    case "codex":
      return codexEntries(record, at);
    case "gemini":
      return geminiEntries(record, at);
  }
}

export function formatNamed(harness: string): FormatName | null {
  return formatNames.find((name) => name === harness.toLowerCase()) ?? null;
}

/** Whose record this is, or null when it could be anyone's. OMP's form is pi's. */
export function sniffFormat(record: object): FormatName | null {
  const type = field(record, "type");
  if (type === "session_meta" || (typeof type === "string" && isObject(field(record, "payload")))) return "codex";
  // A rollout of August 2025 or before.
  if (field(record, "record_type") === "state") return "codex";
  if (type === "gemini" || typeof field(record, "projectHash") === "string") return "gemini";
  if (typeof field(record, "sessionId") === "string" || typeof field(record, "uuid") === "string") return "claude-code";
  if (type === "title" || type === "session") return "omp";
  return type === "message" && isObject(field(record, "message")) ? "omp" : null;
}

/** The folder a session works in, from the record at its head: OMP's and pi's `session`, Codex's `session_meta`. */
export function folderOf(record: object): string | null {
  const type = field(record, "type");
  if (type === "session") return textField(record, "cwd");
  return type === "session_meta" ? textField(field(record, "payload"), "cwd") : null;
}

/** Claude Code keeps a subagent's own file under `<session>/subagents/`; older versions as `agent-<id>.jsonl` beside the session's. */
export function isSubagentFile(path: string): boolean {
  return /(?:\/subagents\/[^/]+|(?:^|\/)agent-[0-9a-f]+\.jsonl)$/.test(path);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
