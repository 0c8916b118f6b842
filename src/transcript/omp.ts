import type { AnswerEntry, Entry, HarnessEntry, Place, TranscriptCall } from "./entry.ts";
import { blocksOf, contentText, field, textField } from "./fields.ts";

/**
 * OMP 18.2.3's session file, and pi's, from which it comes: entries with id and parentId, messages inside. Seen in real sessions:
 * a person's words carry `attribution:"user"` (pi: nothing), what OMP or an extension says is a `custom_message`, or a user message
 * with `attribution:"agent"` (a subagent's task).
 */
export function ompEntries(record: object, at: number): readonly Entry[] {
  const place: Place = { at, time: textField(record, "timestamp"), id: textField(record, "id") };
  switch (field(record, "type")) {
    case "message":
      return messageEntries(field(record, "message"), place);
    case "custom_message":
      return [customMessage(record, place)];
    case "compaction":
    case "branch_summary":
      return [{ ...place, kind: "harness", about: "compaction", text: textField(record, "summary") ?? "" }];
    default:
      return [];
  }
}

function messageEntries(message: unknown, place: Place): readonly Entry[] {
  const text = contentText(field(message, "content"));
  switch (field(message, "role")) {
    case "user":
      return field(message, "attribution") === "agent"
        ? [{ ...place, kind: "harness", about: "other", text }]
        : [{ ...place, kind: "person", text, command: null }];
    case "assistant":
      return [answerOf(message, text, place)];
    case "toolResult":
      return [
        {
          ...place,
          kind: "result",
          call: textField(message, "toolCallId") ?? "",
          text,
          isError: field(message, "isError") === true,
          details: field(message, "details"),
          nested: null,
        },
      ];
    case "bashExecution": {
      const command = textField(message, "command") ?? "";
      return [{ ...place, kind: "person", text: `!${command}`, command }];
    }
    default:
      return [{ ...place, kind: "harness", about: "other", text }];
  }
}

function answerOf(message: unknown, text: string, place: Place): AnswerEntry {
  return {
    ...place,
    kind: "answer",
    text,
    calls: blocksOf(field(message, "content")).flatMap(callOf),
    message: place.id,
    stopReason: textField(message, "stopReason"),
    errorMessage: textField(message, "errorMessage"),
  };
}

function callOf(block: unknown): readonly TranscriptCall[] {
  if (field(block, "type") !== "toolCall") return [];
  const id = textField(block, "id");
  const tool = textField(block, "name");
  return id === null || tool === null ? [] : [{ id, tool, input: field(block, "arguments"), directory: null }];
}

function customMessage(record: object, place: Place): HarnessEntry {
  const text = contentText(field(record, "content"));
  return { ...place, kind: "harness", about: aboutOf(textField(record, "customType") ?? ""), text };
}

function aboutOf(customType: string): HarnessEntry["about"] {
  // In a window OMP ends the turn without waiting; a refusal that comes later is sent into the session by Tama's adapter.
  if (customType === "session-stop-continuation" || customType === "tama-ending") return "refused-stop";
  return customType === "async-result" ? "notice" : "other";
}
