import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerInHostsTongue } from "./host-answer.ts";
import { readHostEvent } from "./host-event.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-gemini-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const heard = (event: object) => readHostEvent(JSON.stringify({ session_id: "s", cwd: "/w", ...event }));

test("a call carries its purpose, and its message as the transcript's newest of the model's", () => {
  const transcript = join(folder, "chat.jsonl");
  writeFileSync(
    transcript,
    '{"sessionId":"s"}\n{"id":"m1","type":"gemini"}\n{"id":"u1","type":"user"}\n{"id":"m2","type":"gemini"}\n{"$set":{}}\n',
  );
  const input = { command: "ls", description: "look" };
  const event = heard({
    hook_event_name: "BeforeTool",
    transcript_path: transcript,
    tool_name: "run_shell_command",
    tool_input: input,
  });
  if (event.kind !== "decide") throw new Error(event.kind);
  expect(event.events[0]).toMatchObject({
    event: "tool_call",
    payload: { session: "s", agent: "main", tool: "run_shell_command", input, message: "m2", purpose: "look" },
  });
});

test("an ending that Tama refused is no person's message; any other prompt is", () => {
  const asked = (prompt: string): string => heard({ hook_event_name: "BeforeAgent", prompt }).kind;
  const said = JSON.parse(answerInHostsTongue("AfterAgent", { kind: "refuse", reason: "check it" }).stdout);
  expect(said).toEqual({ decision: "deny", reason: "TAMA: this ending was refused: check it" });
  expect(asked(said.reason)).toBe("let-go");
  expect(asked(`another hook's words\n${said.reason}`)).toBe("let-go");
  expect(asked("check it")).toBe("decide");
});

test("a call that the person did not allow is settled before what comes next", () => {
  const transcript = join(folder, "chat.jsonl");
  const result = [
    { functionResponse: { id: "c", response: { error: "[Operation Cancelled] Reason: User denied execution." } } },
  ];
  const call = { id: "c", name: "run_shell_command", args: { command: "ls" }, status: "cancelled", result };
  writeFileSync(transcript, `${JSON.stringify({ id: "m1", type: "gemini", toolCalls: [call] })}\n`);
  expect(heard({ hook_event_name: "BeforeAgent", prompt: "again", transcript_path: transcript })).toMatchObject({
    events: [
      {
        event: "tool_result",
        payload: { tool: "run_shell_command", input: { command: "ls" }, isError: true, message: "m1" },
      },
      { event: "input", payload: { text: "again" } },
    ],
  });
});

test("of all that was said since the prompt, the ending is the newest message", () => {
  const transcript = join(folder, "chat.jsonl");
  writeFileSync(
    transcript,
    '{"id":"m1","type":"gemini","content":"I think"}\n{"id":"m2","type":"gemini","content":"done"}\n',
  );
  const event = { hook_event_name: "AfterAgent", stop_hook_active: true, transcript_path: transcript };
  const ended = (prompt_response: string) => heard({ ...event, prompt_response });
  expect(ended("I thinkdone")).toMatchObject({
    events: [{ payload: { answer: "done", message: "m2", stopHookActive: true } }],
  });
  expect(ended("something else")).toMatchObject({ events: [{ payload: { answer: "something else" } }] });
});

test("what does not fit is refused in the event's own form, an ending only once; what is not known by exit 2", () => {
  for (const stdin of [
    "",
    "{",
    "[]",
    '{"hook_event_name":"Later","session_id":"s"}',
    '{"hook_event_name":"BeforeTool"}',
  ]) {
    expect(readHostEvent(stdin).kind).toBe("unfit");
  }
  const again = readHostEvent('{"hook_event_name":"AfterAgent","stop_hook_active":true}');
  expect(again).toMatchObject({ kind: "unfit", host: "AfterAgent", stopHookActive: true });
  expect(answerInHostsTongue("Later", { kind: "refuse", reason: "no" })).toEqual({
    stdout: "",
    stderr: "no\n",
    code: 2,
  });
  expect(answerInHostsTongue("BeforeTool", { kind: "refuse", reason: " " }).stdout).toBe(
    '{"decision":"deny","reason":"Refused without a reason."}\n',
  );
  expect(answerInHostsTongue("AfterTool", { kind: "refuse", reason: "no" }).stdout).toContain("additionalContext");
});

test("events that decide nothing are let go", () => {
  for (const name of ["PreCompress", "Notification", "BeforeModel"])
    expect(heard({ hook_event_name: name }).kind).toBe("let-go");
});
