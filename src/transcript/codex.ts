import { codexSaysNo } from "../calls/result-meaning.ts";
import type { AnswerEntry, Entry, Place, ResultEntry, TranscriptCall } from "./entry.ts";
import { contentText, field, textField } from "./fields.ts";

/**
 * Codex 0.171.0's rollout, and older ones. Its hooks name the shell `Bash` with a `command`, the rollout has the model's own
 * `exec_command` with `cmd`: both become the hooks' form here. In code mode the model's JavaScript (`exec`) is no call; each command it
 * runs is found as a completed item, which is also where exit codes stand.
 */
export function codexEntries(record: object, at: number): readonly Entry[] {
  const payload = field(record, "payload");
  const place: Place = { at, time: textField(record, "timestamp"), id: textField(payload, "id") };
  switch (field(record, "type")) {
    case "response_item":
      return responseItem(payload, place);
    case "event_msg":
      return eventMessage(payload, place);
    case "compacted":
      return [{ ...place, kind: "harness", about: "compaction", text: textField(payload, "message") ?? "" }];
    default:
      return payload === undefined ? bareItem(record, place) : [];
  }
}

/** Until September 2025 an item stood in the file by itself, and a person's words were kept nowhere else. */
function bareItem(item: object, place: Place): readonly Entry[] {
  if (field(item, "role") !== "user") return responseItem(item, place);
  const text = contentText(field(item, "content"));
  if (/^(?:<\w+>|# AGENTS\.md instructions)/.test(text)) return [{ ...place, kind: "harness", about: "other", text }];
  return [{ ...place, kind: "person", text, command: null }];
}

function responseItem(item: unknown, place: Place): readonly Entry[] {
  switch (field(item, "type")) {
    case "message":
      return messageEntries(item, place);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return [answerOf("", callOf(item), place)];
    case "function_call_output":
    case "custom_tool_call_output":
      return resultOf(item, place);
    default:
      return [];
  }
}

function messageEntries(item: unknown, place: Place): readonly Entry[] {
  const text = contentText(field(item, "content"));
  if (field(item, "role") === "assistant") return [answerOf(text, [], place)];
  // A person's words are counted where Codex completes them as an item; here only what the harness says is taken.
  if (field(item, "role") !== "user" || !text.startsWith("<hook_prompt")) return [];
  return [{ ...place, kind: "harness", about: /^<hook_prompt[^>]*"stop:/.test(text) ? "refused-stop" : "other", text }];
}

function answerOf(text: string, calls: readonly TranscriptCall[], place: Place): AnswerEntry {
  return { ...place, kind: "answer", text, calls, message: null, stopReason: null, errorMessage: null };
}

const inCodeMode: ReadonlySet<string> = new Set(["exec", "wait"]);

function callOf(item: unknown): readonly TranscriptCall[] {
  const id = textField(item, "call_id") ?? textField(item, "id");
  const tool = textField(item, "name") ?? textField(item, "type");
  if (id === null || tool === null || (field(item, "type") === "custom_tool_call" && inCodeMode.has(tool))) return [];
  const input = parsed(field(item, "arguments") ?? field(item, "input") ?? field(item, "action"));
  const directory = textField(input, "workdir");
  if (tool === "apply_patch" && typeof input === "string")
    return [{ id, tool, input: { command: input }, directory: null }];
  if (tool !== "exec_command") return [{ id, tool, input, directory }];
  const others = Object.entries(Object(input)).filter(([name]) => name !== "cmd" && name !== "workdir");
  return [{ id, tool: "Bash", input: { ...Object.fromEntries(others), command: field(input, "cmd") }, directory }];
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function resultOf(item: unknown, place: Place): readonly Entry[] {
  const call = textField(item, "call_id");
  if (call === null) return [];
  const output = field(item, "output");
  const inner = parsed(typeof output === "string" ? output : (textField(output, "content") ?? contentText(output)));
  const text = typeof inner === "string" ? inner : (textField(inner, "output") ?? JSON.stringify(inner) ?? "");
  const exitCode = field(field(inner, "metadata"), "exit_code") ?? exitCodeIn(text);
  return [ended(call, text, typeof exitCode === "number" ? exitCode : null, null, place)];
}

/** The words in which Codex's shell tools tell the model how a command ended; in 2025 its sandbox had a sentence of its own. */
function exitCodeIn(text: string): number | null {
  const start = text.slice(0, 600);
  const found =
    /^(?:[\s\S]{0,400}?\n)?(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(start) ??
    /^failed in sandbox \S+ with execution error: [^\n]*? exit code: (-?\d+), stdout:/.exec(start);
  return found?.[1] === undefined ? null : Number(found[1]);
}

function ended(
  call: string,
  text: string,
  exitCode: number | null,
  nested: TranscriptCall | null,
  place: Place,
): ResultEntry {
  const details = exitCode === null ? undefined : { exit_code: exitCode };
  // Without an exit code only Codex's own sentences tell a call that was rejected or failed from one that answered.
  const isError = exitCode === null ? codexSaysNo(text) : exitCode !== 0;
  return { ...place, kind: "result", call, text, isError, details, nested };
}

function eventMessage(event: unknown, place: Place): readonly Entry[] {
  const type = textField(event, "type");
  if (type === "user_message")
    return [{ ...place, kind: "person", text: textField(event, "message") ?? "", command: null }];
  if (type === "item_completed") return completedItem(field(event, "item"), place);
  if (type !== "error") return [];
  const said = textField(event, "message") ?? "";
  return [{ ...answerOf("", [], place), stopReason: "error", errorMessage: said }];
}

function completedItem(item: unknown, place: Place): readonly Entry[] {
  const id = textField(item, "id") ?? "";
  switch (field(item, "type")) {
    case "UserMessage":
      return [{ ...place, kind: "person", text: contentText(field(item, "content")), command: null }];
    case "CommandExecution": {
      const exitCode = field(item, "exit_code");
      const input = { command: field(item, "command") };
      const call: TranscriptCall = { id, tool: "Bash", input, directory: null };
      const text = textField(item, "aggregated_output") ?? "";
      return [ended(id, text, typeof exitCode === "number" ? exitCode : null, nestedOnly(call), place)];
    }
    case "FileChange": {
      const call: TranscriptCall = {
        id,
        tool: "apply_patch",
        input: { changes: field(item, "changes") },
        directory: null,
      };
      const failed = field(item, "status") === "failed" || field(item, "status") === "declined";
      return [ended(id, "", failed ? 1 : 0, nestedOnly(call), place)];
    }
    default:
      return [];
  }
}

/** A call of code mode bears an id of its own; any other one stands in the file itself. */
function nestedOnly(call: TranscriptCall): TranscriptCall | null {
  return call.id.startsWith("exec-") ? call : null;
}
