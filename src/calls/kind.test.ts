import { expect, test } from "bun:test";
import { type ToolKind, toolKind } from "./kind.ts";

const KINDS: Readonly<Record<ToolKind, readonly string[]>> = {
  shell: [
    "omp bash",
    "claude-code Bash",
    "claude-code bash",
    "codex Bash",
    "codex exec_command",
    "codex local_shell",
    "gemini run_shell_command",
    "opencode bash",
    "pi bash",
    "mine Shell",
    "mine run_terminal_cmd",
  ],
  process: [
    "omp hub",
    "claude-code BashOutput",
    "claude-code TaskOutput",
    "claude-code KillShell",
    "codex write_stdin",
    "mine write_stdin",
  ],
  read: [
    "omp read",
    "claude-code Read",
    "codex view_image",
    "gemini read_file",
    "gemini read_many_files",
    "opencode read",
    "pi read",
    "mine read_file",
  ],
  search: [
    "omp grep",
    "omp glob",
    "claude-code Grep",
    "claude-code LS",
    "gemini list_directory",
    "gemini search_file_content",
    "opencode list",
    "pi find",
    "pi ls",
    "mine glob",
  ],
  write: [
    "omp write",
    "omp edit",
    "omp ast_edit",
    "claude-code Edit",
    "claude-code MultiEdit",
    "claude-code NotebookEdit",
    "codex apply_patch",
    "gemini replace",
    "gemini write_file",
    "opencode patch",
    "pi edit",
    "mine str_replace_editor",
  ],
  other: [
    "omp task",
    "omp todo",
    "claude-code Agent",
    "claude-code WebFetch",
    "codex update_plan",
    "gemini web_fetch",
    "mine anything",
    "omp mcp__x__read",
    "omp __proto__",
    "__proto__ constructor",
  ],
};

for (const [kind, tools] of Object.entries(KINDS)) {
  for (const row of tools) {
    const [harness = "", tool = ""] = row.split(" ");
    test(`${row} is ${kind}`, () => expect(String(toolKind(harness, tool))).toBe(kind));
  }
}
