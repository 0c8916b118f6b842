import { expect, test } from "bun:test";
import type { Effect } from "../shell/effect.ts";
import { callEffect, planPart } from "./call-effect.ts";

const CALLS: readonly (readonly [string, string, unknown, Effect])[] = [
  ["omp", "bash", { command: "git status" }, "reads"],
  ["omp", "bash", { command: "mkdir x" }, "changes"],
  ["omp", "bash", { command: "./check.sh" }, "unknown"],
  ["omp", "bash", { command: "./check.sh", async: true }, "changes"],
  ["omp", "bash", { command: "tama wait -- gh run view 1" }, "waits"],
  ["omp", "bash", { cmd: "ls" }, "reads"],
  ["omp", "bash", {}, "unknown"],
  ["claude-code", "Bash", { command: "npm run dev", run_in_background: true }, "changes"],
  ["claude-code", "Bash", { command: "tail -f x", run_in_background: true }, "reads"],
  ["codex", "shell", { command: ["bash", "-lc", "rm x"] }, "changes"],
  ["codex", "Bash", { command: "apply_patch <<'EOF'\n*** Begin Patch\nEOF" }, "changes"],
  ["gemini", "run_shell_command", { command: "ls", is_background: true }, "reads"],
  ["omp", "write", { path: "a", content: "" }, "changes"],
  ["omp", "write", { path: "xd://lsp", content: "" }, "unknown"],
  ["claude-code", "Edit", { file_path: "a" }, "changes"],
  ["claude-code", "Read", { file_path: "a" }, "reads"],
  // What a background task prints stands in a file: reading it is asking the task.
  ["claude-code", "Read", { file_path: "/tmp/claude-501/-home-a/tasks/b2ed671.output" }, "waits"],
  ["claude-code", "Read", { file_path: "C:\\Temp\\claude\\C--a\\tasks\\b70.output" }, "waits"],
  ["claude-code", "Bash", { command: "tail -30 /private/tmp/claude/-a/tasks/b2ed671.output" }, "waits"],
  ["claude-code", "Bash", { command: "rm /tmp/claude/-a/tasks/b2ed671.output" }, "changes"],
  ["claude-code", "Bash", { command: "cat claude/tasks/x.output.md tasks/y.output" }, "reads"],
  ["omp", "grep", { pattern: "a" }, "reads"],
  ["codex", "write_stdin", { session_id: 1 }, "waits"],
  ["codex", "write_stdin", { session_id: 1, chars: "" }, "waits"],
  ["codex", "write_stdin", { session_id: 1, chars: "y\n" }, "changes"],
  ["codex", "wait", { cell_id: "8", yield_time_ms: 10000 }, "waits"],
  ["codex", "multi_agent_v1wait_agent", {}, "waits"],
  ["claude-code", "BashOutput", { bash_id: "1" }, "waits"],
  ["claude-code", "TaskOutput", { task_id: "1" }, "waits"],
  ["claude-code", "KillShell", { shell_id: "1" }, "changes"],
  ["claude-code", "Monitor", { command: "tail -f x" }, "waits"],
  ["claude-code", "Monitor", { command: "./watch.sh" }, "changes"],
  ["claude-code", "Monitor", { ws: { url: "x" } }, "unknown"],
  ["omp", "hub", { op: "wait" }, "waits"],
  ["omp", "hub", { op: "jobs" }, "waits"],
  ["omp", "hub", { op: "logs", name: "web" }, "waits"],
  ["omp", "hub", { op: "ps" }, "reads"],
  ["omp", "hub", { op: "send", name: "web", text: "y" }, "changes"],
  ["omp", "hub", { op: "start", name: "web" }, "changes"],
  ["omp", "hub", {}, "changes"],
  ["claude-code", "WebFetch", { url: "x" }, "reads"],
  ["claude-code", "WebSearch", { query: "x" }, "reads"],
  ["claude-code", "ToolSearch", { query: "x" }, "reads"],
  ["claude-code", "TodoWrite", { todos: [] }, "reads"],
  ["codex", "update_plan", {}, "reads"],
  ["omp", "todo", {}, "reads"],
  ["claude-code", "Agent", { prompt: "x" }, "unknown"],
  ["claude-code", "AskUserQuestion", {}, "unknown"],
  ["claude-code", "Skill", {}, "unknown"],
  ["omp", "task", {}, "unknown"],
  ["omp", "eval", {}, "unknown"],
  ["omp", "file_delete", { path: "a" }, "unknown"],
  ["omp", "mcp__db__query", {}, "unknown"],
  ["mine", "Shell", { command: "ls" }, "reads"],
];

for (const [harness, tool, input, effect] of CALLS) {
  test(`${harness} ${tool} ${JSON.stringify(input)}: ${effect}`, () => {
    expect(callEffect({ harness, tool, input })).toBe(effect);
  });
}

test("the payload's own kind counts before the table", () => {
  expect(callEffect({ harness: "mine", tool: "ops", kind: "shell", input: { command: "ls" } })).toBe("reads");
  expect(callEffect({ harness: "omp", tool: "bash", kind: "write", input: {} })).toBe("changes");
});

test("the tools that write the session's plan are told from those that show it, and from all others", () => {
  const parts = ["TodoWrite", "update_plan", "TaskUpdate", "TaskList", "todo_read", "TaskOutput", "bash"].map(planPart);
  expect(parts).toEqual(["writes", "writes", "writes", "shows", "shows", null, null]);
});
