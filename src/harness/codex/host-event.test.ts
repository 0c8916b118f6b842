import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readHostEvent } from "./host-event.ts";
import { unheardResults } from "./rollout.ts";

const folder = mkdtempSync(join(tmpdir(), "tama-codex-event-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const turn = "t1";
const inner = { turn_id: turn };
let ordinal = 0;

function record(type: string, payload: object, sequence?: number): string {
  const passthrough = sequence === undefined ? {} : { internal_chat_message_metadata_passthrough: inner };
  const metadata = sequence === undefined ? {} : { metadata: { sampled_through_sequence: sequence } };
  return JSON.stringify({
    timestamp: "2026-11-30T20:00:00.000Z",
    ordinal: ordinal++,
    type,
    payload: { ...payload, ...passthrough },
    ...metadata,
  });
}

const started = (): string => record("event_msg", { type: "task_started" });
const calls = (id: string, name: string, args: object, sequence: number): string =>
  record("response_item", { type: "function_call", name, arguments: JSON.stringify(args), call_id: id }, sequence);
const patches = (id: string, input: string, sequence: number): string =>
  record("response_item", { type: "custom_tool_call", name: "apply_patch", input, call_id: id }, sequence);
const answers = (id: string, output: string, sequence: number): string =>
  record("response_item", { type: "function_call_output", call_id: id, output }, sequence);
const says = (sequence: number): string => record("response_item", { type: "message", role: "assistant" }, sequence);
const ended = (id: string, item: object): string =>
  record("event_msg", { type: "item_completed", item: { id, ...item } });

function rollout(...lines: readonly string[]): string {
  const path = join(folder, `${ordinal++}.jsonl`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

function event(host: string, more: object, path: string): ReturnType<typeof readHostEvent> {
  const common = { session_id: "s", turn_id: turn, transcript_path: path, cwd: "/w", hook_event_name: host };
  return readHostEvent(JSON.stringify({ ...common, ...more }));
}

const bash = (id: string, command: string): object => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: id });

test("a call carries its answer's number and what the model said for the person; its terminal is known", () => {
  const path = rollout(started(), calls("c1", "exec_command", { cmd: "ls", tty: true, justification: "to look" }, 3));
  const read = event("PreToolUse", bash("c1", "ls"), path);
  expect(read).toMatchObject({ kind: "decide", shell: { line: "ls", terminal: true } });
  expect(read.kind === "decide" && read.events).toMatchObject([
    { event: "tool_call", payload: { session: "s", agent: "main", message: "t1:3", purpose: "to look", call: "c1" } },
  ]);
  expect(event("PreToolUse", bash("exec-9", "ls"), path)).toMatchObject({ shell: { terminal: null } });
});

test("a shell call's failure is its exit code in the rollout; one that is not there yet is said", () => {
  const item = { type: "CommandExecution", exit_code: 3, status: "failed" };
  const call = calls("c1", "exec_command", { cmd: "x" }, 3);
  const read = event("PostToolUse", { ...bash("c1", "x"), tool_response: "no\n" }, rollout(call, ended("c1", item)));
  expect(read).toMatchObject({
    told: true,
    events: [{ payload: { isError: true, text: "no\n", details: { exit_code: 3 } } }],
  });
  expect(event("PostToolUse", { ...bash("c1", "x"), tool_response: "" }, rollout(call))).toMatchObject({ told: false });
});

test("a prompt is a person's, a subagent's task is not; what decides nothing is let go; what is unknown is not", () => {
  const none = rollout(started());
  expect(event("UserPromptSubmit", { prompt: "hi" }, none)).toMatchObject({
    events: [{ event: "input", payload: { text: "hi" } }],
  });
  expect(event("UserPromptSubmit", { prompt: "hi", agent_id: "a" }, none)).toEqual({
    kind: "let-go",
    host: "UserPromptSubmit",
  });
  expect(event("PermissionRequest", {}, none).kind).toBe("let-go");
  expect(event("Surprise", {}, none)).toMatchObject({ kind: "unfit", host: "Surprise" });
  expect(readHostEvent("{")).toMatchObject({ kind: "unfit", host: null });
  expect(readHostEvent('{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}')).toMatchObject({
    cause: "stdin.session_id: missing",
  });
  expect(event("PreToolUse", { tool_input: {}, tool_use_id: "c" }, none)).toMatchObject({ kind: "unfit" });
});

test("the answer before is looked through for results no hook was told of, once, by its first call", () => {
  const failed = "apply_patch verification failed: no such file";
  const path = rollout(
    started(),
    calls("a", "exec_command", { cmd: "ls" }, 3),
    patches("b", "*** Begin Patch", 3),
    calls("c", "exec_command", { cmd: "apply_patch <<EOF" }, 3),
    ended("a", { type: "CommandExecution", exit_code: 1, status: "failed" }),
    ended("c", { type: "FileChange", status: "completed" }),
    answers("a", "Process exited with code 1", 3),
    answers("b", failed, 3),
    answers("c", "Exit code: 0", 3),
    calls("d", "exec_command", { cmd: "one" }, 7),
    calls("e", "exec_command", { cmd: "two" }, 7),
  );
  const first = event("PreToolUse", bash("d", "one"), path);
  const heard = first.kind === "decide" ? first.events.map((one) => [one.event, Reflect.get(one.payload, "call")]) : [];
  expect(heard).toEqual([
    ["tool_result", "b"],
    ["tool_result", "c"],
    ["tool_call", "d"],
  ]);
  expect(unheardResults(path, turn, "t1:7")).toMatchObject([
    { callId: "b", tool: "apply_patch", isError: true, text: failed, input: { command: "*** Begin Patch" } },
    { callId: "c", tool: "Bash", isError: false, input: { command: "apply_patch <<EOF" } },
  ]);
  const second = event("PreToolUse", bash("e", "two"), path);
  expect(second.kind === "decide" && second.events).toHaveLength(1);
});

test("at a turn's end the last calls are looked through, and not again after another answer", () => {
  const lines = [started(), patches("b", "*** Begin Patch", 3), answers("b", "unable to do it", 3), says(5)];
  expect(unheardResults(rollout(...lines), turn, null)).toHaveLength(1);
  expect(unheardResults(rollout(...lines, says(9)), turn, null)).toEqual([]);
  expect(unheardResults(rollout(...lines, started(), says(9)), turn, null)).toEqual([]);
  expect(unheardResults(rollout(started(), says(5)), turn, null)).toEqual([]);
});
