import { describe, expect, test } from "bun:test";
import type { Entry, FormatName } from "./entry.ts";
import { entriesOf, isSubagentFile, sniffFormat } from "./format.ts";

/** What each record of a harness's own form is, as seen in real transcripts of the pinned versions. */
type Row = readonly [record: object, is: string];

const user = (content: unknown, more: object = {}): object => ({
  type: "user",
  uuid: "u",
  message: { role: "user", content },
  ...more,
});

function denial(words: string): string {
  return `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${words}`;
}

const claudeCode: readonly Row[] = [
  [user("go", { promptSource: "sdk", turnOrigin: "sdk", rowSource: "local" }), "person: go"],
  [user("first", { origin: { kind: "human" }, promptSource: "typed" }), "person: first"],
  [user("an older version's words"), "person: an older version's words"],
  [user("<bash-input>git stash</bash-input>", { origin: { kind: "human" } }), "person ran git stash"],
  [
    user("<command-name>/hello</command-name>", { origin: { kind: "human" } }),
    "person: <command-name>/hello</command-name>",
  ],
  [{ type: "attachment", attachment: { type: "queued_command", prompt: "wait", humanTurn: true } }, "person: wait"],
  [user("expanded", { isMeta: true, origin: { kind: "human" } }), "harness other"],
  [user("Stop hook feedback:\nno", { isMeta: true, rowSource: "hook", hookText: true }), "harness refused-stop"],
  [user("<task-notification>done", { origin: { kind: "task-notification" }, rowSource: "recorded" }), "harness notice"],
  [user("<task-notification>done"), "harness notice"],
  [user("[Request interrupted by user for tool use]", { rowSource: "harness" }), "harness other"],
  [user("This session is being continued", { isCompactSummary: true }), "harness compaction"],
  [{ type: "system", subtype: "compact_boundary" }, "harness compaction"],
  [{ type: "system", subtype: "microcompact_boundary" }, "harness compaction"],
  [{ type: "system", subtype: "stop_hook_summary" }, ""],
  [{ type: "attachment", attachment: { type: "edited_text_file", filename: "/a", snippet: "1" } }, "harness edited"],
  [{ type: "attachment", attachment: { type: "hook_success" } }, ""],
  [user("the agent's task", { isSidechain: true }), ""],
  [{ type: "queue-operation" }, ""],
  [user([{ type: "tool_result", tool_use_id: "t1", content: "hi", is_error: false }]), "result of t1: hi"],
  [
    user([{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "no" }], is_error: true }]),
    "failed result of t1: no",
  ],
  [
    user([{ type: "tool_result", tool_use_id: "t1", content: denial("check it again"), is_error: true }]),
    `failed result of t1: ${denial("check it again")}; person: check it again`,
  ],
  [
    {
      type: "assistant",
      cwd: "/w",
      message: { id: "m", content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] },
    },
    "answer m: , calls Bash in /w",
  ],
  [
    {
      type: "assistant",
      isApiErrorMessage: true,
      error: "invalid_request",
      message: { content: [{ type: "text", text: "API Error: 400" }] },
    },
    "answer null: API Error: 400, failed with invalid_request_error: API Error: 400",
  ],
];

const message = (body: object): object => ({ type: "message", id: "i", message: body });
const omp: readonly Row[] = [
  [message({ role: "user", content: [{ type: "text", text: "do it" }], attribution: "user" }), "person: do it"],
  [message({ role: "user", content: "now", attribution: "user", steering: true }), "person: now"],
  [message({ role: "user", content: "the task", attribution: "agent" }), "harness other"],
  [message({ role: "developer", content: "remember" }), "harness other"],
  [message({ role: "bashExecution", command: "git stash", output: "" }), "person ran git stash"],
  [
    message({ role: "toolResult", toolCallId: "c1", content: [{ type: "text", text: "hi" }], isError: false }),
    "result of c1: hi",
  ],
  [
    message({
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "toolCall", id: "c", name: "bash", arguments: {} },
      ],
    }),
    "answer i: I look., calls bash",
  ],
  [
    message({ role: "assistant", content: [], stopReason: "error", errorMessage: "400 bad" }),
    "answer i: , failed with 400 bad",
  ],
  [{ type: "custom_message", customType: "session-stop-continuation", content: "go on" }, "harness refused-stop"],
  [{ type: "custom_message", customType: "tama-ending", content: "BLOCKED: x" }, "harness refused-stop"],
  [{ type: "custom_message", customType: "async-result", content: "job done" }, "harness notice"],
  [{ type: "custom_message", customType: "tama", content: "context" }, "harness other"],
  [{ type: "compaction", id: "k", summary: "s" }, "harness compaction"],
  [{ type: "custom", customType: "tool_execution_start", data: {} }, ""],
  [{ type: "title", v: 1, title: "" }, ""],
];

const item = (payload: object): object => ({ type: "response_item", payload });
const event = (payload: object): object => ({ type: "event_msg", payload });
const codex: readonly Row[] = [
  [
    event({ type: "item_completed", item: { type: "UserMessage", content: [{ type: "text", text: "go" }] } }),
    "person: go",
  ],
  [event({ type: "user_message", message: "an older version's words" }), "person: an older version's words"],
  [item({ type: "message", role: "user", content: [{ type: "input_text", text: "go" }] }), ""],
  [
    item({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: '<hook_prompt hook_run_id="stop:1">no</hook_prompt>' }],
    }),
    "harness refused-stop",
  ],
  [item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] }), "answer null: done"],
  [
    item({ type: "function_call", call_id: "c", name: "exec_command", arguments: '{"cmd":"ls","workdir":"/w"}' }),
    "answer null: , calls Bash in /w",
  ],
  [
    item({ type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "*** Begin" }),
    "answer null: , calls apply_patch",
  ],
  [item({ type: "custom_tool_call", call_id: "c", name: "exec", input: "tools.shell()" }), "answer null: "],
  [
    item({ type: "function_call_output", call_id: "c", output: "Process exited with code 0\nOutput:\nhi" }),
    "result of c: Process exited with code 0\nOutput:\nhi",
  ],
  [
    item({ type: "function_call_output", call_id: "c", output: '{"output":"no","metadata":{"exit_code":2}}' }),
    "failed result of c: no",
  ],
  [
    item({ type: "function_call_output", call_id: "c", output: "Command blocked by PreToolUse hook: no" }),
    "failed result of c: Command blocked by PreToolUse hook: no",
  ],
  ...[
    "failed in sandbox LinuxSeccomp with execution error: sandbox denied exec error, exit code: 2, stdout: no",
    "apply_patch verification failed: Failed to find expected lines in /w/a",
    'execution error: Io(Custom { kind: Other, error: "windows sandbox: it did not start" })',
    "aborted by user after 3.1s",
  ].map(
    (output): Row => [item({ type: "function_call_output", call_id: "c", output }), `failed result of c: ${output}`],
  ),
  [
    item({ type: "function_call_output", call_id: "c", output: "the log says: execution error: none" }),
    "result of c: the log says: execution error: none",
  ],
  [
    event({
      type: "item_completed",
      item: { type: "CommandExecution", id: "exec-1", command: "ls", exit_code: 0, aggregated_output: "a" },
    }),
    "result of exec-1: a, nested Bash",
  ],
  [
    event({
      type: "item_completed",
      item: { type: "CommandExecution", id: "call_1", command: "ls", exit_code: 1, aggregated_output: "a" },
    }),
    "failed result of call_1: a",
  ],
  [{ type: "compacted", payload: { message: "s" } }, "harness compaction"],
  [{ type: "turn_context", payload: {} }, ""],
  [{ record_type: "state" }, ""],
  [{ type: "message", id: null, role: "user", content: [{ type: "input_text", text: "go" }] }, "person: go"],
  [
    {
      type: "message",
      id: null,
      role: "user",
      content: [{ type: "input_text", text: "<environment_context>here</environment_context>" }],
    },
    "harness other",
  ],
  [
    { type: "function_call", id: null, name: "shell", call_id: "c", arguments: '{"command":["ls"],"workdir":"/w"}' },
    "answer null: , calls shell in /w",
  ],
  [
    { type: "function_call_output", call_id: "c", output: '{"output":"no","metadata":{"exit_code":2}}' },
    "failed result of c: no",
  ],
];

function said(format: FormatName, record: object, ofSubagent = false): string {
  return entriesOf(format, record, 0, ofSubagent).map(inWords).join("; ");
}

function inWords(entry: Entry): string {
  switch (entry.kind) {
    case "person":
      return entry.command === null ? `person: ${entry.text}` : `person ran ${entry.command}`;
    case "harness":
      return `harness ${entry.about}`;
    case "answer": {
      const where = (directory: string | null): string => (directory === null ? "" : ` in ${directory}`);
      const calls = entry.calls.map(({ tool, directory }) => `, calls ${tool}${where(directory)}`);
      const failed = entry.errorMessage === null ? "" : `, failed with ${entry.errorMessage}`;
      return `answer ${entry.message}: ${entry.text}${calls.join("")}${failed}`;
    }
    case "result": {
      const nested = entry.nested === null ? "" : `, nested ${entry.nested.tool}`;
      return `${entry.isError ? "failed " : ""}result of ${entry.call}: ${entry.text}${nested}`;
    }
  }
}

for (const [format, rows] of Object.entries({ "claude-code": claudeCode, omp, codex }) as [
  FormatName,
  readonly Row[],
][])
  describe(format, () => {
    for (const [record, is] of rows)
      test(`${is === "" ? "nothing" : is}: ${JSON.stringify(record).slice(0, 80)}`, () =>
        expect(said(format, record)).toBe(is));
  });

test("a subagent's own file holds its rows alone, and nobody's words in it are a person's", () => {
  const task = user("the agent's task", { isSidechain: true });
  expect(said("claude-code", task, true)).toBe("harness other");
  expect(said("claude-code", user("go", { isSidechain: false }), true)).toBe("");
  expect(isSubagentFile("/h/.claude/projects/p/s/subagents/agent-a1.jsonl")).toBe(true);
  expect(isSubagentFile("/h/.claude/projects/p/s.jsonl")).toBe(false);
});

test("whose form it is is seen from a record", () => {
  expect(sniffFormat({ type: "session", version: 3, id: "s" })).toBe("omp");
  expect(sniffFormat({ type: "session_meta", payload: {} })).toBe("codex");
  expect(sniffFormat({ record_type: "state" })).toBe("codex");
  expect(sniffFormat({ type: "queue-operation", sessionId: "s" })).toBe("claude-code");
  expect(sniffFormat({ type: "other" })).toBeNull();
});
