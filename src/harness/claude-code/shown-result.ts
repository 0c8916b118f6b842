/**
 * A tool's result as the model reads it, from the `tool_response` that PostToolUse carries: Claude Code hands its hooks the tool's own
 * structure, not the text. A structure not known here is its JSON, so that nothing of it is lost to a gate.
 */
export function shownResult(response: unknown): string {
  if (typeof response === "string") return response;
  if (Array.isArray(response)) return textBlocks(response) ?? JSON.stringify(response);
  if (typeof response !== "object" || response === null) return response == null ? "" : JSON.stringify(response);
  return shellOutput(response) ?? fileText(response) ?? blocksInside(response) ?? JSON.stringify(response);
}

/** Bash: both streams, as one text. */
function shellOutput(response: object): string | null {
  const stdout = text(response, "stdout");
  const stderr = text(response, "stderr");
  if (stdout === null || stderr === null) return null;
  return [stdout, stderr].filter((part) => part !== "").join("\n");
}

/** Read. */
function fileText(response: object): string | null {
  const file: unknown = Reflect.get(response, "file");
  return typeof file === "object" && file !== null ? text(file, "content") : null;
}

/** Tools of MCP servers, and a subagent's report. */
function blocksInside(response: object): string | null {
  const content: unknown = Reflect.get(response, "content");
  return Array.isArray(content) ? textBlocks(content) : null;
}

function textBlocks(blocks: readonly unknown[]): string | null {
  const texts = blocks.map((block) => (typeof block === "object" && block !== null ? text(block, "text") : null));
  return texts.length > 0 && texts.every((one) => one !== null) ? texts.join("\n") : null;
}

function text(from: object, name: string): string | null {
  const value: unknown = Reflect.get(from, name);
  return typeof value === "string" ? value : null;
}
