import { expect, test } from "bun:test";
import { toolAnswer } from "./tool-answer.ts";

const fenced = (inner: string): string => `<untrusted_context>\n${inner}\n</untrusted_context>`;
const shell = (llmContent: string, returnDisplay: unknown = ""): ReturnType<typeof toolAnswer> =>
  toolAnswer("run_shell_command", { llmContent, returnDisplay });

test("a shell command's exit code stands behind its output, and the fence around it is not the tool's", () => {
  const failed = shell(fenced("Output: no such file\nExit Code: 1\nProcess Group PGID: 12"), "no such file");
  expect(failed).toEqual({
    isError: true,
    text: "Output: no such file\nExit Code: 1\nProcess Group PGID: 12",
    details: { exit_code: 1 },
  });
  expect(shell("Output: (empty)\nExit Code: 3\nProcess Group PGID: 12", "Command exited with code: 3").isError).toBe(
    true,
  );
  expect(shell("Output: (empty)\nSignal: 9\nProcess Group PGID: 12", "Command terminated by signal: 9").isError).toBe(
    true,
  );
  expect(shell("Output: fine\nProcess Group PGID: 12", "fine")).toMatchObject({ isError: false, details: null });
});

test("a program that prints such words has not failed by that", () => {
  const printed = "fine\nExit Code: 3";
  expect(shell(`Output: ${printed}\nProcess Group PGID: 12`, printed).isError).toBe(false);
  expect(shell("Output: Exit Code: 3\nmore\nProcess Group PGID: 12", [{ text: "a screen" }]).isError).toBe(false);
});

test("a command that was cut off is an error; one in the background is none", () => {
  expect(shell("Command was cancelled by user before it could complete. There was no output").isError).toBe(true);
  expect(shell("Command was automatically cancelled because it exceeded the timeout of 5.0 minutes").isError).toBe(
    true,
  );
  expect(shell("Command moved to background (PID: 7). Output hidden.").isError).toBe(false);
});

test("a tool's own error is what the model reads; parts are one text; nothing at all is an empty answer", () => {
  expect(toolAnswer("read_file", { llmContent: "Could not read", error: { message: "File not found: x" } })).toEqual({
    isError: true,
    text: "File not found: x",
    details: null,
  });
  expect(toolAnswer("read_file", { llmContent: [{ text: "a" }, "b"] }).text).toBe("a\nb");
  expect(toolAnswer("write_file", undefined)).toEqual({ isError: false, text: "", details: null });
});
