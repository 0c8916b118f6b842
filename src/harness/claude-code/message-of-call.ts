import { sayOnStderr } from "../../base/descriptors.ts";
import { findFromEnd } from "../../transcript/find-from-end.ts";

/**
 * The id of the assistant message a tool call stands in, from the transcript: the hook's input does not carry it. Claude Code writes the
 * row before it asks its PreToolUse hooks (measured), one row a content block, all with the message's id. Null where it is not found;
 * then the repeat rule goes by the calls alone, so a transcript that cannot be read is only said on stderr.
 */
export function messageOfCall(transcript: string, toolUseId: string): string | null {
  const found = findFromEnd(transcript, JSON.stringify(toolUseId), (record) => messageIn(record, toolUseId));
  if (!found.ok) sayOnStderr(`tama: ${found.cause}`);
  return found.ok ? found.value : null;
}

function messageIn(record: unknown, toolUseId: string): string | null {
  const message = field(record, "message");
  const content = field(message, "content");
  const id = field(message, "id");
  if (field(record, "type") !== "assistant" || !Array.isArray(content) || typeof id !== "string") return null;
  return content.some((block) => field(block, "type") === "tool_use" && field(block, "id") === toolUseId) ? id : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null;
}
