import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Home, homeAt } from "../../disk/home.ts";
import { answerInHostsTongue } from "./host-answer.ts";
import { readHostEvent } from "./host-event.ts";

let folder = "";
let home: Home;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-gemini-"));
  home = homeAt(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const heard = (event: object) => readHostEvent(JSON.stringify({ session_id: "s", cwd: "/w", ...event }), home);

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
  expect(event.events[0]?.payload).not.toHaveProperty("transcript");
});

test("the reason of the ending that was refused just now is no person's message; any other prompt is", () => {
  const asked = (prompt: string): string => heard({ hook_event_name: "BeforeAgent", prompt }).kind;
  const log = home.sessionLog("s", null);
  mkdirSync(dirname(log), { recursive: true });
  const line = { at: "2026-01-01T00:00:00.000Z", dispatch: "d", event: "stop", ms: 1, hooks: [] };
  const refused = { ...line, verdict: "refuse", refusal: "r-1", blockedHookId: "h", reason: "check it first" };
  writeFileSync(log, `${JSON.stringify(refused)}\n`);
  expect(asked("another hook's words\ncheck it first")).toBe("let-go");
  expect(asked("check it")).toBe("decide");
  appendFileSync(log, `${JSON.stringify({ ...line, event: "input", verdict: "pass" })}\n`);
  expect(asked("check it first")).toBe("decide");
  expect(asked("TAMA_HOOK_INFRASTRUCTURE: tama: the core is gone")).toBe("let-go");
});

test("what does not fit is refused in the event's own form, an ending only once; what is not known by exit 2", () => {
  for (const stdin of [
    "",
    "{",
    "[]",
    '{"hook_event_name":"Later","session_id":"s"}',
    '{"hook_event_name":"BeforeTool"}',
  ]) {
    expect(readHostEvent(stdin, home).kind).toBe("unfit");
  }
  const again = readHostEvent('{"hook_event_name":"AfterAgent","stop_hook_active":true}', home);
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
