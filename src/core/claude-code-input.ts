import { ownValue } from "../base/own-value.ts";
import type { AnyPayload, HookEvent, Payload } from "../words/event.ts";

/**
 * The event as Claude Code would tell it, so that a person's existing hook script runs under every harness: field names, tool names and
 * the names of a tool's arguments are Claude Code's. Already Claude Code's own pass through unchanged.
 */
export function claudeCodeInput(
  event: HookEvent,
  harness: string,
): { readonly stdin: string; readonly environment: Readonly<Record<string, string>> } {
  const { payload } = event;
  const common = {
    session_id: payload.session ?? "",
    transcript_path: payload.transcript ?? "",
    cwd: payload.cwd ?? "",
    permission_mode: "default",
    ...(payload.agentId == null ? {} : { agent_id: payload.agentId, agent_type: "general-purpose" }),
  };
  const environment = { CLAUDE_PROJECT_DIR: payload.cwd ?? "", CLAUDECODE: "1" };
  const told = { ...common, ...specific(event, harness), ...(harness === "claude-code" ? hostsOwn(payload) : {}) };
  return { stdin: `${JSON.stringify(told)}\n`, environment };
}

/** Under Claude Code itself a script hears Claude Code's own words where its adapter kept them. */
function hostsOwn(payload: AnyPayload): object {
  return isObject(payload["host"]) ? payload["host"] : {};
}

function specific(event: HookEvent, harness: string): object {
  switch (event.event) {
    case "session_start":
      return { hook_event_name: "SessionStart", source: "startup" };
    case "input":
      return { hook_event_name: "UserPromptSubmit", prompt: event.payload.text };
    case "tool_call":
      return { hook_event_name: "PreToolUse", ...toolFields(event.payload, harness) };
    case "tool_result":
      return resultFields(event.payload, harness);
    case "stop":
      return {
        hook_event_name: event.payload.agent === "sub" ? "SubagentStop" : "Stop",
        stop_hook_active: event.payload.stopHookActive === true,
        last_assistant_message: event.payload.answer,
      };
    case "compact":
      return { hook_event_name: "PostCompact", trigger: "auto", compact_summary: event.payload.summary ?? "" };
    case "session_end":
      return { hook_event_name: "SessionEnd", reason: "other" };
    case "before_provider":
      return { hook_event_name: "BeforeProvider" };
  }
}

function toolFields(payload: Payload<"tool_call">, harness: string): object {
  const translated = translateTool(harness, payload.tool, payload.input);
  const tool_input =
    payload.purpose == null || harness === "claude-code"
      ? translated.input
      : withDescription(translated, payload.purpose);
  return { tool_name: translated.tool, tool_input, ...(payload.call == null ? {} : { tool_use_id: payload.call }) };
}

function resultFields(payload: Payload<"tool_result">, harness: string): object {
  const fields = toolFields(payload, harness);
  if (payload.isError)
    return { hook_event_name: "PostToolUseFailure", ...fields, error: payload.text, is_interrupt: false };
  return {
    hook_event_name: "PostToolUse",
    ...fields,
    tool_response: payload.details ?? { stdout: payload.text, stderr: "", interrupted: false, isImage: false },
  };
}

function withDescription(translated: Translated, purpose: string): unknown {
  return translated.tool === "Bash" && isObject(translated.input)
    ? { ...translated.input, description: purpose }
    : translated.input;
}

interface Translated {
  readonly tool: string;
  readonly input: unknown;
}

function translateTool(harness: string, tool: string, input: unknown): Translated {
  const known = harness === "claude-code" ? undefined : ownValue(tools, tool.toLowerCase());
  if (known === undefined) return { tool, input };
  if (!isObject(input)) return { tool: known.name, input };
  const renamed = Object.entries(input).map(([key, value]) => [ownValue(known.arguments, key) ?? key, value] as const);
  return { tool: known.name, input: Object.fromEntries(renamed) };
}

const file = { path: "file_path", filePath: "file_path", absolute_path: "file_path" };
const edit = { ...file, old: "old_string", oldText: "old_string", new: "new_string", newText: "new_string" };

/** Other harnesses' tools by lower-case name, in Claude Code's words. */
const tools: Readonly<Record<string, { readonly name: string; readonly arguments: Readonly<Record<string, string>> }>> =
  {
    bash: { name: "Bash", arguments: { cmd: "command" } },
    shell: { name: "Bash", arguments: { cmd: "command" } },
    exec_command: { name: "Bash", arguments: { cmd: "command" } },
    run_shell_command: { name: "Bash", arguments: {} },
    read: { name: "Read", arguments: file },
    read_file: { name: "Read", arguments: file },
    write: { name: "Write", arguments: file },
    write_file: { name: "Write", arguments: file },
    edit: { name: "Edit", arguments: edit },
    replace: { name: "Edit", arguments: edit },
    grep: { name: "Grep", arguments: {} },
    search_file_content: { name: "Grep", arguments: {} },
    glob: { name: "Glob", arguments: {} },
    find: { name: "Glob", arguments: {} },
    task: { name: "Agent", arguments: {} },
    web_search: { name: "WebSearch", arguments: {} },
    webfetch: { name: "WebFetch", arguments: {} },
    fetch: { name: "WebFetch", arguments: {} },
  };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
