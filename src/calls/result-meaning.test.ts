import { describe, expect, test } from "bun:test";
import { resultMeaning, stillRuns } from "./result-meaning.ts";

type Row = readonly [harness: string, tool: string, text: string, details?: unknown];

function told([harness, tool, text, details]: Row, isError = true): string {
  const meaning = resultMeaning({ harness, tool, text, isError, details });
  return meaning.kind === "failed" && meaning.readFirst === true ? "read-first" : meaning.kind;
}

const MEANINGS: Readonly<Record<string, readonly Row[]>> = {
  "never-ran": [
    ["omp", "bash", "BLOCKED: this exact call already ran at 12:00"],
    ["omp", "bash", "this session's same call was failed at 2026-01-01T00:00:00.000Z: boom"],
    ["omp", "bash", "TAMA_HOOK_INFRASTRUCTURE: block-wait-polling: no answer", {}],
    ["claude-code", "Bash", "PreToolUse:Bash hook error: BLOCKED: no"],
    ["claude-code", "Bash", "PreToolUse:Bash hook error: [/abs/tama run-hook claude-code]: BLOCKED: no\n"],
    ["claude-code", "Bash", "PreToolUse:Bash hook error: this session's same call was unanswered at x"],
    ["claude-code", "Bash", 'PreToolUse:Bash hook error: failed; blocking because onFailure is "block"'],
    ["codex", "Bash", "Command blocked by PreToolUse hook: BLOCKED: no. Command: ls"],
    ["gemini", "run_shell_command", "Tool execution blocked: BLOCKED: no"],
    ["opencode", "bash", "Error: BLOCKED: no"],
    ["omp", "bash", 'Validation failed for tool "bash": command is required'],
    ["omp", "bash", 'Validation failed for tool "bash":\n- command: required\n\nReceived arguments:\n{}'],
    ["omp", "bahs", "Tool bahs not found. Did you mean bash?"],
    ["omp", "x", "Tool x not found"],
    ["omp", "bash", "Extension /home/a/.omp/agent/extensions/tama.ts timed out after 30000ms"],
    ["omp", "bash", "Extension /home/a/my ext.ts failed: boom"],
    ["omp", "bash", "Tool was not executed because the run was aborted: Interrupted by user.", {}],
    ["omp", "bash", "Tool execution was aborted: Interrupted by user"],
    [
      "omp",
      "write",
      "Tool call was not executed because the assistant hit its output token limit (stop_reason: length)",
    ],
    ["omp", "bash", "Tool call denied by user: bash"],
    ["omp", "bash", 'Tool "bash" is blocked by user policy.\nTo allow: remove it'],
    [
      "omp",
      "bash",
      "Skipped due to queued user message. Do not count this skipped result as completed work or verification. After",
      { __synthetic: true, executed: false },
    ],
    [
      "claude-code",
      "Bash",
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit",
    ],
    ["claude-code", "Bash", "Permission to use Bash with command touch ran has been denied."],
    ["claude-code", "Write", "Claude requested permissions to write to /x, but you haven't granted it yet."],
    ["claude-code", "Bash", "This command requires approval"],
    ["claude-code", "Bash", "<tool_use_error>Cancelled: parallel tool call Bash(mkdir build) errored</tool_use_error>"],
    ["claude-code", "Bash", "<tool_use_error>Sibling tool call errored</tool_use_error>"],
    [
      "claude-code",
      "Bash",
      "<tool_use_error>InputValidationError: Bash failed due to the following issue</tool_use_error>",
    ],
    ["claude-code", "Foo", "<tool_use_error>Error: No such tool available: Foo</tool_use_error>"],
    [
      "claude-code",
      "Bash",
      "[Tool call skipped: the turn ended to deliver the message that follows before this call ran.",
    ],
    ["claude-code", "Bash", "[Request interrupted by user for tool use]"],
    ["claude-code", "Bash", "anything", { toolDenialKind: "user-rejected" }],
    [
      "claude-code",
      "Bash",
      "claude-opus-4-8 is temporarily unavailable, so auto mode cannot determine the safety of Bash right now. Wait",
    ],
    [
      "claude-code",
      "Agent",
      "claude-opus-5[1m] is temporarily unavailable (timed out), so auto mode cannot determine the safety of Agent right",
    ],
    [
      "claude-code",
      "Bash",
      "Permission for this action was denied by the Claude Code auto mode classifier. Reason: Blocked by classifier. If",
    ],
    ["claude-code", "Bash", "Permission for this action has been denied. Reason: a rule"],
    [
      "claude-code",
      "mcp__a-b__c",
      "mcp__a-b__c was not run: none of the models allowed to check this session's actions",
    ],
    ["claude-code", "Bash", "The server-side auto mode classifier gave no verdict for Bash: the response ended before"],
    ["claude-code", "Bash", "Something was switched off. This is not a judgment that the action is unsafe. Continue"],
    ["claude-code", "Bash", "Bash did not run. It gave no verdict because it was not shown this call; that is"],
    ["claude-code", "Bash", "Bash did not run yet. It expected this call not to need a review, but it needs one."],
    ["claude-code", "Bash", "This code was NOT run. Auto mode could not check it, because"],
    [
      "claude-code",
      "Bash",
      "Auto mode could not evaluate this action and is blocking it for safety — run with --debug for",
    ],
    ["claude-code", "Write", "/a/b goes through a symlink. Auto mode needs the real path: make the same call with /c."],
    [
      "claude-code",
      "Edit",
      "[Any Gate]\n\nPresent the facts, then retry the same operation.",
      { harnessVersion: "2.1.140" },
    ],
    ["claude-code", "Bash", "Test files are protected.", { harnessVersion: "2.0.77" }],
    ["claude-code", "Write", "User cancelled the write"],
    [
      "claude-code",
      "Bash",
      "This Bash command contains multiple operations. The following part requires approval: netstat -ano",
    ],
    ["claude-code", "Bash", "ls in '/a' was blocked. For security, Claude Code may only list files in the allowed"],
    ["codex", "exec_command", "failed to parse function arguments: missing field `cmd`"],
    ["codex", "foo", "unsupported call: foo"],
    ["codex", "apply_patch", "patch rejected by user"],
    [
      "codex",
      "exec_command",
      'exec_command failed for `rm x`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    ],
    ["gemini", "run_shell_command", "Command was cancelled by user before it could start."],
    [
      "claude-code",
      "Bash",
      "<tool_use_error>Blocked: sleep 60 followed by: cat b.output. To wait for a condition, use Monitor with an until-loop",
    ],
    [
      "gemini",
      "run_shell_command",
      'Tool execution for "Shell" requires user confirmation, which is not supported in non-interactive mode.',
    ],
    ["codex", "shell", "approval policy is Never; reject command — you should not ask for escalated permissions"],
    ["opencode", "bash", "Error: The user rejected permission to use this specific tool call."],
    ["mine", "bash", "BLOCKED: no"],
  ],
  interrupted: [
    ["omp", "bash", "Command aborted"],
    ["omp", "bash", "line 1\nline 2\n\n[Command aborted]"],
    ["omp", "bash", "[Command cancelled]\nline 1"],
    ["omp", "grep", "Operation aborted"],
    ["omp", "bash", "x", { __interrupted: true, execution: "started" }],
    ["claude-code", "Bash", "Exit code 137\n[Request interrupted by user for tool use]\npartial"],
    ["claude-code", "Bash", "anything", { is_interrupt: true }],
    ["claude-code", "Bash", "[Request interrupted by user for tool use]", { stdout: "", stderr: "" }],
    ["claude-code", "Bash", "[Tool call interrupted: the session ended before this call's result was recorded"],
    [
      "claude-code",
      "Bash",
      "The user doesn't want to proceed with this tool use. The tool use was rejected. Correction to the text above: this call was stopped while running, not refused before it ran. It may have run",
    ],
    ["codex", "exec_command", "aborted by user after 12.3s"],
    ["gemini", "run_shell_command", "Command was cancelled by user before it could complete. There was no output"],
    ["pi", "bash", "partial\n\nCommand aborted"],
    ["opencode", "bash", "Tool execution aborted"],
  ],
  "read-first": [
    [
      "claude-code",
      "Edit",
      "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
    ],
    [
      "claude-code",
      "Write",
      "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.",
    ],
    ["claude-code", "Edit", "File content has changed since it was last read. This commonly happens when a linter"],
    ["omp", "edit", "File has not been read yet. Read it first before writing to it."],
    [
      "omp",
      "edit",
      "Missing hashline snapshot tag for a.ts. Re-read the file with `read` to copy a current [path#tag] header",
    ],
    ["opencode", "write", "Error: You must read file /x/a.ts before overwriting it. Use the Read tool first"],
    ["opencode", "edit", "File /x/a.ts has been modified since it was last read."],
    ["mine", "edit", "The file a.ts has not been read yet"],
  ],
  failed: [
    ["omp", "bash", "make: *** No rule to make target 'x'.  Stop.\nCommand exited with code 2"],
    [
      "omp",
      "bash",
      "oops\n\n\nWall time: 0.01 seconds\n\nCommand exited with code 3",
      { exitCode: 3, wallTimeMs: 6.5 },
    ],
    ["omp", "read", "Path 'nope.txt' not found"],
    ["omp", "edit", "text not found in file"],
    ["claude-code", "Edit", "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>"],
    ["claude-code", "Read", "File does not exist."],
    ["claude-code", "Bash", "Exit code 1\nBLOCKED: waiting for a lock"],
    ["claude-code", "Bash", "Exit code 1\nThe user doesn't want to proceed with this tool use"],
    ["claude-code", "Bash", "Exit code 1\nInputValidationError: x"],
    // A program that prints such words, and shows that it ran.
    [
      "omp",
      "bash",
      "BLOCKED: the queue is full\n\n\nWall time: 1 seconds\n\nCommand exited with code 1",
      { exitCode: 1 },
    ],
    ["omp", "bash", "BLOCKED: the queue is full\n\n\nWall time: 1 seconds\n\nCommand exited with code 1"],
    ["omp", "bash", "Tool x not found\n\n\nWall time: 1 seconds\n\nCommand exited with code 127"],
    ["omp", "bash", "log: BLOCKED: no"],
    ["omp", "bash", "the file has not been read yet\nCommand exited with code 1"],
    ["omp", "bash", "File has not been read yet. Read it first before writing to it."],
    ["omp", "bash", "saw Command aborted in the log\n\nCommand exited with code 1", { exitCode: 1 }],
    ["omp", "bash", "Command timed out after 5 seconds"],
    ["codex", "apply_patch", "apply_patch verification failed: Failed to find expected lines"],
    ["codex", "exec_command", "Process exited with code 1\nOutput:\nunsupported call: x"],
    ["claude-code", "mcp__db__query", "migration was not run: no table"],
    ["mine", "__proto__", ""],
    ["__proto__", "x", "boom"],
  ],
};

describe("what an error means", () => {
  for (const [kind, rows] of Object.entries(MEANINGS)) {
    for (const row of rows)
      test(`${kind}: ${row[0]} ${row[1]}: ${row[2].slice(0, 90)}`, () => expect(told(row)).toBe(kind));
  }
});

describe("what is no error", () => {
  test("succeeded, whatever it printed", () => {
    for (const rows of Object.values(MEANINGS)) {
      for (const [harness, tool, text] of rows) expect(told([harness, tool, text], false)).toBe("succeeded");
    }
  });

  test("unless the harness says that it was cut off", () => {
    expect(told(["claude-code", "Bash", "partial", { stdout: "partial", interrupted: true }], false)).toBe(
      "interrupted",
    );
    expect(told(["claude-code", "Bash", "all", { stdout: "all", interrupted: false }], false)).toBe("succeeded");
  });
});

test("a form in the middle of a long answer says nothing, one at its end does", () => {
  const long = "x\n".repeat(1 << 19);
  expect(told(["omp", "bash", `${long}\n\n[Command aborted]`])).toBe("interrupted");
  expect(told(["omp", "bash", `${long}\n\n[Command aborted]${long}`])).toBe("failed");
});

test("our own refusal never ran, also where it ends with the words of an earlier answer that did", () => {
  const text =
    "this session's same call was failed at 2026-01-01T00:00:00.000Z: x.\nIts whole answer was:\nx\n\nCommand exited with code 3";
  const refused = { harness: "omp", tool: "bash", text, isError: true };
  expect(resultMeaning({ ...refused, details: {} })).toEqual({ kind: "never-ran" });
  expect(resultMeaning({ ...refused, details: { exitCode: 3 } })).toEqual({ kind: "failed" });
});

test("an edit that found its file changed by somebody else says so", () => {
  const changed = (text: string) =>
    resultMeaning({ harness: "claude-code", tool: "Edit", text: `<tool_use_error>${text}`, isError: true });
  expect(changed("File has been modified since read, either by the user or by a linter.")).toEqual({
    kind: "failed",
    readFirst: true,
    changedOutside: true,
  });
  expect(changed("File has been unexpectedly modified. Read it again before attempting to write it.")).toEqual({
    kind: "failed",
    readFirst: true,
    changedOutside: true,
  });
  expect(changed("File has not been read yet. Read it first.")).toEqual({ kind: "failed", readFirst: true });
});

test("what goes on behind its call has not answered yet", () => {
  const behind = (text: string, details?: unknown): boolean => stillRuns({ text, details });
  expect(behind("Command running in background with ID: b936bb3. Output is being written to: x")).toBe(true);
  expect(behind("", { backgroundTaskId: "b936bb3" })).toBe(true);
  expect(behind("Chunk ID: ab\nWall time: 10.0 seconds\nProcess running with session ID 4\nOutput:\n")).toBe(true);
  expect(behind("Chunk ID: ab\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n")).toBe(false);
  expect(behind("the log says: Command running in background with ID: 7")).toBe(false);
});

test("what Claude Code's tools say of their own failing has not been denied by a hook, nor has an older version's or an event's", () => {
  const details = { harnessVersion: "2.1.140" };
  const failed: readonly Row[] = [
    ["claude-code", "Bash", "Exit code 1\nboom", details],
    ["claude-code", "Bash", "Command timed out after 2m 0.0s\npartial", details],
    ["claude-code", "Edit", "<tool_use_error>String to replace not found in file.</tool_use_error>", details],
    ["claude-code", "Read", "File does not exist.", details],
    ["claude-code", "mcp__db__query", "no such table", details],
    ["claude-code", "Bash", "gh not found", { harnessVersion: "2.0.19" }],
    ["claude-code", "Bash", "gh not found"],
    ["omp", "bash", "gh not found", details],
  ];
  expect(failed.map((row) => told(row))).toEqual(failed.map(() => "failed"));
});
