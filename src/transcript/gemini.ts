import type { Entry, Place, TranscriptCall } from "./entry.ts";
import { blocksOf, field, textField } from "./fields.ts";

/**
 * Gemini CLI 0.61.0's chat file: a header, then a record a message, between them `$set` patches of the header. A message of the model's is
 * written when its words are there and once more, under the same id, when its calls have ended; so words are taken from the first and calls
 * from the second. A call's answer is a part of the user's next message, as the API has it.
 */
export function geminiEntries(record: object, at: number): readonly Entry[] {
  const place: Place = { at, time: textField(record, "timestamp"), id: textField(record, "id") };
  const content = field(record, "content");
  switch (field(record, "type")) {
    case "user":
      return userEntries(content, place);
    case "gemini": {
      const calls = blocksOf(field(record, "toolCalls")).flatMap(callOf);
      const text = calls.length > 0 ? "" : partsText(content);
      const answer: Entry = {
        ...place,
        kind: "answer",
        text,
        calls,
        message: place.id,
        stopReason: null,
        errorMessage: null,
      };
      return [answer, ...cancelledCalls(record).flatMap(({ response }) => resultOf(response, place))];
    }
    case "info":
    case "warning":
    case "error":
      return [{ ...place, kind: "harness", about: "other", text: partsText(content) }];
    default:
      return [];
  }
}

/** A call that a person did not allow, or stopped. */
export interface CancelledCall {
  readonly tool: string;
  readonly input: unknown;
  /** What the model was told of it. */
  readonly said: string;
  readonly response: unknown;
}

/** Those of a message. No later record answers them, since the person's interrupt ended the turn. */
export function cancelledCalls(record: unknown): readonly CancelledCall[] {
  return blocksOf(field(record, "toolCalls")).flatMap((call) => {
    const tool = textField(call, "name");
    if (tool === null || textField(call, "status") !== "cancelled") return [];
    const response = field(blocksOf(field(call, "result"))[0], "functionResponse");
    const said = field(response, "response");
    return [
      { tool, input: field(call, "args"), said: textField(said, "error") ?? textField(said, "output") ?? "", response },
    ];
  });
}

/**
 * The first words of an ending that Tama refused. Gemini sends a refusal on as a prompt like a person's and marks it with nothing, in its
 * hooks and in this file (measured); so the mark is in the words. Another hook's words may stand before it.
 */
export const refusedEndingMark = "TAMA: this ending was refused: ";

export function isRefusedEnding(prompt: string): boolean {
  return prompt.startsWith(refusedEndingMark) || prompt.includes(`\n${refusedEndingMark}`);
}

function userEntries(content: unknown, place: Place): readonly Entry[] {
  const results = blocksOf(content).flatMap((part) => resultOf(field(part, "functionResponse"), place));
  if (results.length > 0) return results;
  const text = partsText(content);
  if (isRefusedEnding(text)) return [{ ...place, kind: "harness", about: "refused-stop", text }];
  return [{ ...place, kind: "person", text, command: null }];
}

/** A shell command that failed is an answer like any other to Gemini; its exit code stands behind the output. */
function resultOf(response: unknown, place: Place): readonly Entry[] {
  const call = textField(response, "id");
  if (call === null) return [];
  const said = field(response, "response");
  const error = textField(said, "error");
  const text = withoutFence(error ?? textField(said, "output") ?? "");
  const code = textField(response, "name") === "run_shell_command" ? behindOutput.exec(text)?.[1] : undefined;
  return [
    {
      ...place,
      kind: "result",
      call,
      text,
      isError: error !== null || code !== undefined,
      details: code === undefined ? null : { exit_code: Number(code) },
      nested: null,
    },
  ];
}

const behindOutput = /\nExit Code: (-?\d+)(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*$/;

/** Gemini fences an answer in for the model; what stands in it is the tool's. */
export function withoutFence(text: string): string {
  return /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/.exec(text)?.[1] ?? text;
}

function callOf(call: unknown): readonly TranscriptCall[] {
  const id = textField(call, "id");
  const tool = textField(call, "name");
  return id === null || tool === null ? [] : [{ id, tool, input: field(call, "args"), directory: null }];
}

function partsText(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = blocksOf(content).map((part) => textField(part, "text"));
  return texts.filter((text) => text !== null).join("\n");
}
