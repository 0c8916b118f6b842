import { withoutFence } from "../../transcript/gemini.ts";

/** What AfterTool tells of a call, in the contract's terms. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly details: { readonly exit_code: number } | null;
}

/**
 * A tool's answer from `tool_response`: `llmContent` is what the model reads, `error` is there where a tool failed by its own word. A shell
 * command that fails is no error to Gemini; its exit code stands behind the output, in the text (0.61.0).
 */
export function toolAnswer(tool: unknown, response: unknown): ToolAnswer {
  const text = withoutFence(textOf(field(response, "llmContent")));
  // The model reads the error's own words then, and not the content.
  const error = field(response, "error");
  if (error != null) return { isError: true, text: textOf(error) || text, details: null };
  if (tool !== "run_shell_command") return { isError: false, text, details: null };
  if (text.startsWith("Command was ")) return { isError: true, text, details: null };
  const ended = behindOutput(text, field(response, "returnDisplay"));
  const code = /^Exit Code: (-?\d+)$/m.exec(ended)?.[1];
  return {
    isError: code !== undefined || /^(?:Signal|Error): /m.test(ended),
    text,
    details: code === undefined ? null : { exit_code: Number(code) },
  };
}

/**
 * What Gemini wrote behind a command's output. The output itself comes beside it and is cut off first, so that a program which prints
 * "Exit Code: 3" has not failed by that; where it does not (a terminal's picture, nothing printed), only the very end is looked at.
 */
function behindOutput(text: string, shown: unknown): string {
  if (typeof shown === "string" && shown !== "" && text.startsWith(`Output: ${shown}`))
    return text.slice(`Output: ${shown}`.length);
  return /(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*)*$/.exec(text)?.[0] ?? "";
}

/** A text, or the text parts of a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map((part) => textOf(part)).join("\n");
  const inner = field(content, "text") ?? field(content, "message");
  return typeof inner === "string" ? inner : content == null ? "" : JSON.stringify(content);
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
