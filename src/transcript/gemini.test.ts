import { expect, test } from "bun:test";
import { entriesOf, sniffFormat } from "./format.ts";
import { refusedEndingMark } from "./gemini.ts";

const entries = (record: object) => entriesOf("gemini", { id: "i", timestamp: "t", ...record }, 0, false);
const answered = (response: object) =>
  entries({ type: "user", content: [{ functionResponse: { id: "c", name: "run_shell_command", response } }] });

test("the header tells the form apart from Claude Code's", () => {
  expect(sniffFormat({ sessionId: "s", projectHash: "h", kind: "main" })).toBe("gemini");
  expect(sniffFormat({ sessionId: "s", type: "user" })).toBe("claude-code");
  expect(entries({ sessionId: "s", projectHash: "h" })).toEqual([]);
  expect(entries({ $set: { lastUpdated: "t" } })).toEqual([]);
});

test("a message's words are taken when it is written first, its calls when it is written again", () => {
  expect(entries({ type: "gemini", content: "I look" })).toMatchObject([{ kind: "answer", text: "I look", calls: [] }]);
  const toolCalls = [{ id: "c", name: "run_shell_command", args: { command: "ls" } }];
  expect(entries({ type: "gemini", content: "I look", toolCalls })).toMatchObject([
    {
      kind: "answer",
      text: "",
      message: "i",
      calls: [{ id: "c", tool: "run_shell_command", input: { command: "ls" } }],
    },
  ]);
});

test("an answer is a failure by its error, or by the exit code behind a shell's output", () => {
  const failed = "<untrusted_context>\nOutput: no\nExit Code: 1\nProcess Group PGID: 3\n</untrusted_context>";
  expect(answered({ output: failed })).toMatchObject([
    {
      kind: "result",
      call: "c",
      isError: true,
      details: { exit_code: 1 },
      text: "Output: no\nExit Code: 1\nProcess Group PGID: 3",
    },
  ]);
  expect(answered({ output: "Output: ok\nProcess Group PGID: 3" })).toMatchObject([{ isError: false, details: null }]);
  expect(answered({ error: "Tool execution blocked: no" })).toMatchObject([
    { isError: true, text: "Tool execution blocked: no" },
  ]);
});

test("a refused ending comes as a user's message and is none", () => {
  const user = (text: string) => entries({ type: "user", content: [{ text }] });
  expect(user("do it")).toMatchObject([{ kind: "person", text: "do it" }]);
  expect(user(`${refusedEndingMark}check it`)).toMatchObject([{ kind: "harness", about: "refused-stop" }]);
  expect(user(`another hook's\n${refusedEndingMark}check it`)).toMatchObject([{ kind: "harness" }]);
});

test("a call that a person did not allow is answered by the record it stands in", () => {
  const response = { error: "[Operation Cancelled] Reason: User denied execution." };
  const result = [{ functionResponse: { id: "c", name: "run_shell_command", response } }];
  const toolCalls = [{ id: "c", name: "run_shell_command", args: { command: "ls" }, status: "cancelled", result }];
  expect(entries({ type: "gemini", content: "", toolCalls })).toMatchObject([
    { kind: "answer", calls: [{ id: "c" }] },
    { kind: "result", call: "c", isError: true, text: response.error },
  ]);
});
