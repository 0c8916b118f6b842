import { expect, test } from "bun:test";
import { readHostEvent } from "./host-event.ts";

const common = { session_id: "s-1", transcript_path: "/t/s-1.jsonl", cwd: "/w", permission_mode: "default" };
const bash = { tool_name: "Bash", tool_input: { command: "ls", description: "look" }, tool_use_id: "toolu_1" };

function read(name: string, fields: object = {}): ReturnType<typeof readHostEvent> {
  return readHostEvent(`${JSON.stringify({ ...common, hook_event_name: name, ...fields })}\n`);
}

function events(name: string, fields: object = {}): unknown[] {
  const event = read(name, fields);
  return event.kind === "decide" ? event.events.map((one) => ({ event: one.event, ...one.payload })) : [event.kind];
}

test("each event becomes the contract's", () => {
  const main = { session: "s-1", agent: "main", cwd: "/w", transcript: "/t/s-1.jsonl" };
  const call = { tool: "Bash", input: bash.tool_input, call: "toolu_1", purpose: "look" };
  expect(events("PreToolUse", bash)).toMatchObject([{ event: "tool_call", ...main, ...call, message: null }]);
  const response = { stdout: "a", stderr: "b", interrupted: false };
  expect(events("PostToolUse", { ...bash, tool_response: response })).toMatchObject([
    { event: "tool_result", ...main, ...call, isError: false, text: "a\nb", details: response },
  ]);
  const failed = { ...bash, error: "Exit code 3\nboom", is_interrupt: true, duration_ms: 12 };
  expect(events("PostToolUseFailure", failed)).toMatchObject([
    { event: "tool_result", isError: true, text: failed.error, details: { is_interrupt: true, duration_ms: 12 } },
  ]);
  expect(events("UserPromptSubmit", { prompt: "go" })).toMatchObject([{ event: "input", ...main, text: "go" }]);
  const stop = { stop_hook_active: true, last_assistant_message: "Done." };
  expect(events("Stop", stop)).toMatchObject([{ event: "stop", ...main, answer: "Done.", stopHookActive: true }]);
  expect(events("SessionStart", { source: "startup" })).toMatchObject([{ event: "session_start", ...main }]);
  expect(events("SessionStart", { source: "compact" })).toMatchObject([
    { event: "session_start" },
    { event: "compact" },
  ]);
  expect(events("SessionEnd", { reason: "other" })).toMatchObject([{ event: "session_end", ...main }]);
});

test("a subagent's events are its own, with its own transcript", () => {
  const sub = { agent_id: "a1", agent_type: "general-purpose" };
  const transcript = "/t/s-1/subagents/agent-a1.jsonl";
  const own = { session: "s-1", agentId: "a1", agent: "sub", transcript };
  expect(events("PreToolUse", { ...bash, ...sub })).toMatchObject([{ event: "tool_call", ...own }]);
  expect(events("SubagentStart", sub)).toMatchObject([{ event: "session_start", ...own }]);
  const stop = { ...sub, agent_transcript_path: "/elsewhere.jsonl", last_assistant_message: null };
  expect(events("SubagentStop", stop)).toMatchObject([
    { event: "stop", ...own, transcript: "/elsewhere.jsonl", answer: "" },
  ]);
});

test("what is nobody's decision is let go", () => {
  expect(events("SubagentStop", { agent_id: "a2", agent_type: "" })).toEqual(["let-go"]);
  expect(events("UserPromptSubmit", { prompt: "<task-notification>\n<task-id>a1" })).toEqual(["let-go"]);
  expect(events("SubagentStart", { agent_id: "a2", agent_type: "" })).toEqual(["let-go"]);
  for (const name of ["PreCompact", "PermissionDenied", "Notification"]) expect(events(name)).toEqual(["let-go"]);
});

test("a permission dialog, a changed file and a fact are told apart from what is dispatched", () => {
  const { tool_use_id, ...asked } = bash;
  expect(read("PermissionRequest", asked)).toMatchObject({
    kind: "permission",
    event: { event: "tool_call", payload: { session: "s-1", tool: "Bash", input: bash.tool_input, cwd: "/w" } },
  });
  expect(read("PermissionRequest", { tool_name: "Bash" })).toMatchObject({
    kind: "unfit",
    host: "PermissionRequest",
    cause: "payload.input: missing",
  });
  expect(read("ConfigChange", { source: "local_settings", file_path: "/w/.claude/settings.local.json" })).toMatchObject(
    {
      kind: "settings",
      change: { session: "s-1", cwd: "/w", source: "local_settings", path: "/w/.claude/settings.local.json" },
    },
  );
  expect(read("ConfigChange")).toMatchObject({
    kind: "unfit",
    host: "ConfigChange",
    cause: "stdin.file_path: missing",
  });
  expect(read("StopFailure", { error: "server_error", agent_id: "a1" })).toMatchObject({
    kind: "fact",
    fact: { session: "s-1", agentId: "a1", event: "stop_failure", says: "the turn ended by server_error" },
  });
  expect(read("PostCompact", { trigger: "auto" })).toMatchObject({ kind: "fact", fact: { event: "post_compact" } });
});

test("what does not fit is told with its place, and which event it was", () => {
  expect(readHostEvent(" ")).toMatchObject({ kind: "unfit", host: null, cause: expect.stringContaining("empty") });
  expect(readHostEvent("{")).toMatchObject({ kind: "unfit", host: null, cause: expect.stringContaining("no JSON") });
  expect(readHostEvent("[]")).toMatchObject({ kind: "unfit", host: null });
  expect(readHostEvent("{}")).toMatchObject({ cause: "stdin.hook_event_name: missing" });
  expect(read("PreToolUse", { ...bash, session_id: "" })).toMatchObject({
    kind: "unfit",
    host: "PreToolUse",
    cause: "stdin.session_id: missing",
  });
  expect(read("PreToolUse", { ...bash, tool_name: 7 })).toMatchObject({
    host: "PreToolUse",
    cause: "payload.tool: expected string, got 7",
  });
  expect(read("PreToolUse", { tool_name: "Bash" })).toMatchObject({ cause: "payload.input: missing" });
  expect(read("Stop", { cwd: 7, stop_hook_active: true })).toMatchObject({ host: "Stop", stopHookActive: true });
  expect(read("toString")).toMatchObject({
    kind: "unfit",
    host: "toString",
    cause: expect.stringContaining("toString"),
  });
});
