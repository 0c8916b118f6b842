import { sayOnStderr } from "../../base/descriptors.ts";
import { findFromEnd } from "../../transcript/find-from-end.ts";

/**
 * What Codex's own file of a session (the rollout) says of its tool calls, beyond what its hooks are told (measured with 0.171.0): the exit
 * code, the model's answer a call stands in, whether a terminal was asked for, and the results that no PostToolUse follows. The form is
 * internal to Codex, so it is read tolerantly: what is not found is null. A file that cannot be read is said on stderr, and decides nothing.
 */

/** One model answer's number: `<turn>:<sequence>`, the same for all calls of one answer. */
export type MessageKey = string;

export interface CallRecord {
  readonly message: MessageKey;
  /** The arguments as the model gave them; null where they are no JSON object. */
  readonly args: Readonly<Record<string, unknown>> | null;
}

/** The record of a call that is about to run. Codex writes it before it asks its hooks. Calls of code mode have none. */
export function recordOfCall(rollout: string, callId: string): CallRecord | null {
  return find(rollout, JSON.stringify(callId), (record) => {
    const payload = field(record, "payload");
    if (!isCall(payload) || field(payload, "call_id") !== callId) return null;
    const message = messageOf(record);
    return message === null ? null : { message, args: parsedObject(field(payload, "arguments")) };
  });
}

/** How a call's program ended, from its `item_completed`; the exit code is null for a patch. */
export interface Ending {
  readonly failed: boolean;
  readonly exitCode: number | null;
}

/** Codex writes it before it asks its PostToolUse hooks. Null for tools that leave none. */
export function endingOfCall(rollout: string, callId: string): Ending | null {
  return find(rollout, JSON.stringify(callId), (record) => {
    const item = completedItem(record);
    if (field(item, "id") !== callId) return null;
    const code = field(item, "exit_code");
    const exitCode = typeof code === "number" ? code : null;
    return { failed: exitCode === null ? field(item, "status") === "failed" : exitCode !== 0, exitCode };
  });
}

/** A result that Codex gave the model and told no hook of. */
export interface UnheardResult {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly isError: boolean;
  readonly text: string;
  readonly message: MessageKey;
}

/**
 * The results without a PostToolUse among the calls of the model answer before the newest one of this turn: a patch that does not apply, a
 * patch made through the shell (Codex takes `apply_patch <<EOF` over itself), an image that is not there. To be asked once an answer, when
 * its first call or the turn's end comes: `newest` is that answer's key, or null at the turn's end.
 */
export function unheardResults(rollout: string, turn: string, newest: MessageKey | null): readonly UnheardResult[] {
  const seen = new Map<unknown, object>();
  let last = newest;
  let before: MessageKey | null = null;
  find(rollout, '"timestamp"', (record) => {
    const payload = field(record, "payload");
    const message = messageOf(record);
    // The turn begins here.
    if (field(payload, "type") === "task_started") return true;
    if (field(record, "type") !== "response_item" || message === null) {
      if (completedItem(record) !== null) seen.set(field(record, "ordinal"), Object(record));
      return null;
    }
    if (field(payload, "role") === "assistant") last ??= message;
    if (message === last) return null;
    before ??= isOutput(payload) ? message : null;
    // Anything of another answer, or of another turn: all that was looked for has been seen.
    if (before === null || message !== before || !message.startsWith(`${turn}:`)) return true;
    seen.set(field(record, "ordinal"), Object(record));
    return null;
  });
  const records = [...seen.values()].toReversed();
  return before === null ? [] : records.flatMap((record) => unheard(record, records));
}

/** Whether a call is the first of its answer, so that one process of several alike does what is to be done once. */
export function isFirstOfAnswer(rollout: string, callId: string, message: MessageKey): boolean {
  let first: unknown = null;
  find(rollout, '"call_id"', (record) => {
    const payload = field(record, "payload");
    if (!isCall(payload)) return null;
    if (messageOf(record) !== message) return true;
    first = field(payload, "call_id");
    return null;
  });
  return first === callId;
}

function unheard(record: object, records: readonly object[]): readonly UnheardResult[] {
  const payload = field(record, "payload");
  const message = messageOf(record);
  if (!isOutput(payload) || message === null) return [];
  const callId = String(field(payload, "call_id"));
  const call = records
    .map((one) => field(one, "payload"))
    .find((one) => isCall(one) && field(one, "call_id") === callId);
  const item = records.map(completedItem).find((one) => field(one, "id") === callId);
  const text = textOf(field(payload, "output"));
  const name = String(field(call, "name"));
  const type = field(item, "type");
  const isPatch = name === "apply_patch";
  // A hook heard of these: a program's end, a patch made by its own tool, any other tool that gave its answer.
  if (call === undefined || type === "CommandExecution" || (isPatch && type === "FileChange")) return [];
  const failed = failedOutput.test(text);
  if (!failed && type !== "FileChange") return [];
  const told = { callId, message, text, isError: type !== "FileChange" };
  if (isPatch) return [{ ...told, tool: name, input: { command: field(call, "input") } }];
  const args = parsedObject(field(call, "arguments"));
  if (name !== "exec_command") return [{ ...told, tool: name, input: args }];
  return [{ ...told, tool: "Bash", input: { command: args?.["cmd"] } }];
}

/** How Codex begins the answer of a call that failed without a program's exit code. */
const failedOutput = /^(apply_patch verification failed|unable to |failed to |patch rejected|exec_command failed)/;

function messageOf(record: unknown): MessageKey | null {
  const turn = field(field(field(record, "payload"), "internal_chat_message_metadata_passthrough"), "turn_id");
  const sequence = field(field(record, "metadata"), "sampled_through_sequence");
  return typeof turn === "string" && typeof sequence === "number" ? `${turn}:${sequence}` : null;
}

function completedItem(record: unknown): unknown {
  const payload = field(record, "payload");
  return field(payload, "type") === "item_completed" ? field(payload, "item") : null;
}

function isCall(payload: unknown): boolean {
  return field(payload, "type") === "function_call" || field(payload, "type") === "custom_tool_call";
}

function isOutput(payload: unknown): boolean {
  return field(payload, "type") === "function_call_output" || field(payload, "type") === "custom_tool_call_output";
}

function parsedObject(text: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof text !== "string") return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  return Array.isArray(output) ? output.map((part) => textOf(field(part, "text"))).join("\n") : "";
}

function find<T>(rollout: string, mark: string, pick: (record: unknown) => T | null): T | null {
  const found = findFromEnd(rollout, mark, pick);
  if (!found.ok) sayOnStderr(`tama: ${found.cause}`);
  return found.ok ? found.value : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
}
