import type { AnswerEntry, Entry, HarnessEntry, PersonEntry, Place, ResultEntry, TranscriptCall } from "./entry.ts";
import { blocksOf, contentText, field, textField } from "./fields.ts";

/**
 * Claude Code 2.1.332's transcript, and older ones: one row a content block, rows of one assistant message sharing `message.id`. A
 * subagent's rows are marked `isSidechain`; they count in its own file only, where all are.
 */
export function claudeCodeEntries(record: object, at: number, ofSubagent: boolean): readonly Entry[] {
  const type = field(record, "type");
  // Most rows of a long session are the progress of its calls.
  if (type === "progress") return [];
  const aside = field(record, "isSidechain");
  if (aside !== undefined && (aside === true) !== ofSubagent) return [];
  const place: Place = { at, time: textField(record, "timestamp"), id: textField(record, "uuid") };
  switch (type) {
    case "assistant":
      return [answerOf(record, place)];
    case "user":
      return userEntries(record, place, ofSubagent);
    case "attachment":
      return attachmentEntries(field(record, "attachment"), place);
    case "system":
      // What a microcompaction clears the model has forgotten as well.
      return /^(?:micro)?compact_boundary$/.test(textField(record, "subtype") ?? "")
        ? [{ ...place, kind: "harness", about: "compaction", text: "" }]
        : [];
    default:
      return [];
  }
}

function answerOf(record: object, place: Place): AnswerEntry {
  const message = field(record, "message");
  const content = field(message, "content");
  const text = contentText(content);
  const directory = textField(record, "cwd");
  const failed = field(record, "isApiErrorMessage") === true;
  return {
    ...place,
    kind: "answer",
    text,
    calls: blocksOf(content).flatMap((block) => callOf(block, directory)),
    message: textField(message, "id"),
    stopReason: failed ? "error" : textField(message, "stop_reason"),
    errorMessage: failed ? `${errorName(textField(record, "error"))}: ${text}` : null,
  };
}

/** Claude Code shortens the provider's own name of it. */
function errorName(error: string | null): string {
  return error === "invalid_request" ? "invalid_request_error" : (error ?? "error");
}

function callOf(block: unknown, directory: string | null): readonly TranscriptCall[] {
  if (field(block, "type") !== "tool_use") return [];
  const id = textField(block, "id");
  const tool = textField(block, "name");
  return id === null || tool === null ? [] : [{ id, tool, input: field(block, "input"), directory }];
}

function userEntries(record: object, place: Place, ofSubagent: boolean): readonly Entry[] {
  const content = field(field(record, "message"), "content");
  const results = blocksOf(content).flatMap((block) => resultOf(block, record, place));
  if (results.length > 0) return ofSubagent ? results : [...results, ...results.flatMap(wordsOfDenial)];
  const text = contentText(content);
  if (!ofSubagent && isPersons(record, text)) return [{ ...place, kind: "person", text, command: bashInput(text) }];
  return [{ ...place, kind: "harness", about: aboutOf(record, text), text }];
}

function resultOf(block: unknown, record: object, place: Place): readonly ResultEntry[] {
  const call = textField(block, "tool_use_id");
  if (field(block, "type") !== "tool_result" || call === null) return [];
  const used = field(record, "toolUseResult");
  const details = {
    ...(typeof used === "object" && used !== null ? used : {}),
    toolDenialKind: field(record, "toolDenialKind"),
    harnessVersion: field(record, "version"),
  };
  return [
    {
      ...place,
      kind: "result",
      call,
      text: contentText(field(block, "content")),
      isError: field(block, "is_error") === true,
      details,
      nested: null,
    },
  ];
}

/** What a person says when they deny a call stands in its result, and nowhere else. */
function wordsOfDenial({ isError, text, ...place }: ResultEntry): readonly PersonEntry[] {
  const said = isError
    ? /^The user doesn't want to proceed [^\n]*the user said:\s*(\S[\s\S]*)$/.exec(text)?.[1]
    : undefined;
  if (said === undefined) return [];
  return [{ at: place.at, time: place.time, id: place.id, kind: "person", text: said, command: null }];
}

/** Whether a user row is a person's: by what the row says of its origin; by its text where an older version says nothing. */
function isPersons(record: object, text: string): boolean {
  if (field(record, "isMeta") === true || field(record, "isCompactSummary") === true) return false;
  if (["hook", "harness", "recorded"].includes(textField(record, "rowSource") ?? "")) return false;
  const origin = field(record, "origin");
  if (origin !== undefined && origin !== null) return field(origin, "kind") === "human";
  const source = textField(record, "promptSource");
  if (source !== null) return source === "sdk" || source === "typed";
  return text.trim() !== "" && !harnessText.test(text);
}

const harnessText =
  /^\s*(?:<(?:task-notification|system-reminder|local-command-\w+|bash-stdout|bash-stderr|command-stdout)>|Stop hook feedback:|\[Request interrupted|Caveat: |This session is being continued)/;

function bashInput(text: string): string | null {
  return /<bash-input>([\s\S]*?)<\/bash-input>/.exec(text)?.[1] ?? null;
}

function aboutOf(record: object, text: string): HarnessEntry["about"] {
  if (field(record, "isCompactSummary") === true) return "compaction";
  if (text.startsWith("Stop hook feedback:")) return "refused-stop";
  const kind = textField(field(record, "origin"), "kind");
  return kind === "task-notification" || text.trimStart().startsWith("<task-notification>") ? "notice" : "other";
}

/** What a person types while a turn runs is no user row. */
function attachmentEntries(attachment: unknown, place: Place): readonly Entry[] {
  const type = textField(attachment, "type") ?? "";
  if (/^edited_\w+_file$/.test(type))
    return [{ ...place, kind: "harness", about: "edited", text: textField(attachment, "filename") ?? "" }];
  if (type !== "queued_command") return [];
  const prompt = contentText(field(attachment, "prompt"));
  const kind = textField(field(attachment, "origin"), "kind");
  if (field(attachment, "humanTurn") === true || kind === "human")
    return [{ ...place, kind: "person", text: prompt, command: null }];
  return [{ ...place, kind: "harness", about: kind === "task-notification" ? "notice" : "other", text: prompt }];
}
