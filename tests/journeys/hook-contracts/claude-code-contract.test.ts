import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type HookedCore, pass, refuses, startHooked } from "./hooked-core.ts";

/** A person's existing Claude Code hook script, under every harness (contract 4). */
let hooked: HookedCore;
beforeAll(async () => {
  hooked = await startHooked("claude-code");
});
afterAll(() => hooked.close());

const says = (answer: object): string => `cat <<'END'\n${JSON.stringify(answer)}\nEND`;
const specific = (fields: object, hookEventName = "PreToolUse"): object => ({
  hookSpecificOutput: { hookEventName, ...fields },
});
const silent =
  "BLOCKED: guard refused this and gave no reason. What it checks is in its declaration: tama hooks declared";

describe("tool_call", () => {
  for (const [name, body, expected] of [
    ["exit 0", "exit 0", pass],
    ["plain text is no answer and is dropped", "echo all good", pass],
    ["exit 2", "echo no >&2; exit 2", refuses("no")],
    [
      "exit 2 outweighs an allow",
      `${says(specific({ permissionDecision: "allow" }))}\necho no >&2; exit 2`,
      refuses("no"),
    ],
    ["deny", says(specific({ permissionDecision: "deny", permissionDecisionReason: "never" })), refuses("never")],
    ["deny without a reason", says(specific({ permissionDecision: "deny" })), refuses(silent)],
    [
      "ask is refused with its reason",
      says(specific({ permissionDecision: "ask", permissionDecisionReason: "sure?" })),
      refuses("sure?"),
    ],
    ["allow", says(specific({ permissionDecision: "allow" })), pass],
    ["the old block", says({ decision: "block", reason: "old" }), refuses("old")],
    ["the old approve", says({ decision: "approve" }), pass],
    ["continue false", says({ continue: false, stopReason: "enough" }), refuses("enough")],
    ["continue true", says({ continue: true, suppressOutput: true }), pass],
    [
      "context and notes",
      says({ systemMessage: "for you", ...specific({ additionalContext: "for it" }) }),
      { ...pass, context: "for it", notes: "for you" },
    ],
    ["an empty object", says({}), pass],
  ] as const) {
    test(name, async () => {
      const answer = await hooked.tries(body);
      expect(answer).toMatchObject(expected);
      expect(answer["infrastructure"]).toBeUndefined();
    });
  }

  for (const [name, body, cause] of [
    ["any other exit", "echo oops >&2; exit 1", "exit 1, where only 0 and 2 are answers: oops"],
    ["exit 70 is no answer here", "exit 70", "exit 70, where only 0 and 2 are answers"],
    ["a signal", "kill -9 $$", "ended by SIGKILL"],
    ["half a JSON", `echo '{"continue": tru'`, /^its answer begins like JSON and is none: /],
    [
      "a word that is no decision",
      says(specific({ permissionDecision: "maybe" })),
      /^its answer is outside its contract: /,
    ],
    [
      "updatedInput",
      says(specific({ permissionDecision: "allow", updatedInput: {} })),
      /^updatedInput is not supported/,
    ],
    [
      "an answer for another event",
      says(specific({ additionalContext: "x" }, "UserPromptSubmit")),
      "it answered for UserPromptSubmit, but was asked about PreToolUse",
    ],
  ] as const) {
    test(`${name}: infrastructure`, async () => {
      const answer = await hooked.tries(body);
      expect(answer).toMatchObject({ verdict: "refuse", infrastructure: true, blockedHookId: "guard" });
      const said = (String(answer["reason"]).split("\n")[0] ?? "").replace("TAMA_HOOK_INFRASTRUCTURE: guard: ", "");
      if (typeof cause === "string") expect(said).toBe(cause);
      else expect(said).toMatch(cause);
    });
  }
});

test("plain text is context where a prompt or a session starts, and nowhere else", async () => {
  for (const [event, context] of [
    ["input", "remember"],
    ["session_start", "remember"],
    ["stop", undefined],
    ["tool_result", undefined],
  ] as const) {
    const answer = await hooked.tries("echo remember", event);
    expect(answer).toMatchObject(pass);
    expect([event, answer["context"]]).toEqual([event, context]);
  }
});

test("a stop hook blocks with its reason, on either agent's end", async () => {
  expect(await hooked.tries(says({ decision: "block", reason: "run the tests" }), "stop")).toMatchObject(
    refuses("run the tests"),
  );
});

describe("what the script is told", () => {
  const told = async (event: string, payload: object): Promise<Record<string, unknown>> => {
    const seen = `${hooked.world.root}/seen.json`;
    await hooked.tries(
      `cat > ${seen}; printf '%s|%s|%s' "$CLAUDE_PROJECT_DIR" "$CLAUDECODE" "$PWD" > ${seen}.env`,
      event,
      {
        cwd: hooked.world.root,
        transcript: "/t.jsonl",
        ...payload,
      },
    );
    return JSON.parse(readFileSync(seen, "utf8")) as Record<string, unknown>;
  };
  const common = (): object => ({
    session_id: "",
    transcript_path: "/t.jsonl",
    cwd: hooked.world.root,
    permission_mode: "default",
  });

  test("a call, with tool names and arguments in Claude Code's words", async () => {
    const input = { command: "ls", i: "look" };
    expect(await told("tool_call", { tool: "bash", input, call: "c1", purpose: "look" })).toEqual({
      ...common(),
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { ...input, description: "look" },
      tool_use_id: "c1",
    });
    expect(readFileSync(`${hooked.world.root}/seen.json.env`, "utf8")).toBe(
      `${hooked.world.root}|1|${hooked.world.root}`,
    );
    for (const [tool, given, name, wanted] of [
      ["read", { path: "a", offset: 1 }, "Read", { file_path: "a", offset: 1 }],
      ["write", { path: "a", content: "b" }, "Write", { file_path: "a", content: "b" }],
      ["edit", { path: "a", old: "x", new: "y" }, "Edit", { file_path: "a", old_string: "x", new_string: "y" }],
      ["grep", { pattern: "x" }, "Grep", { pattern: "x" }],
      ["mcp__x__y", { path: "a" }, "mcp__x__y", { path: "a" }],
    ] as const)
      expect(await told("tool_call", { tool, input: given })).toMatchObject({ tool_name: name, tool_input: wanted });
  });

  test("a result, working and failing", async () => {
    expect(await told("tool_result", { text: "out" })).toMatchObject({
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_response: { stdout: "out" },
    });
    expect(await told("tool_result", { isError: true, text: "broke" })).toMatchObject({
      hook_event_name: "PostToolUseFailure",
      error: "broke",
    });
  });

  test("prompts, endings, compaction, and a subagent's name", async () => {
    expect(await told("input", { text: "hello", session: "s" })).toMatchObject({
      hook_event_name: "UserPromptSubmit",
      prompt: "hello",
      session_id: "s",
    });
    expect(await told("stop", { answer: "done", stopHookActive: true })).toMatchObject({
      hook_event_name: "Stop",
      stop_hook_active: true,
      last_assistant_message: "done",
    });
    expect(await told("tool_call", { agentId: "a1" })).toMatchObject({ hook_event_name: "PreToolUse", agent_id: "a1" });
    expect(await told("compact", { summary: "so far" })).toMatchObject({ compact_summary: "so far" });
    expect(await told("session_start", {})).toMatchObject({ hook_event_name: "SessionStart" });
    expect(await told("session_end", {})).toMatchObject({ hook_event_name: "SessionEnd" });
  });
});

test("under Claude Code itself names and arguments pass as they are", async () => {
  const own = await startHooked("claude-code", "claude-code");
  const seen = `${own.world.root}/seen.json`;
  await own.tries(`cat > ${seen}`, "tool_call", {
    tool: "Bash",
    input: { command: "ls", description: "x" },
    purpose: "x",
  });
  expect(JSON.parse(readFileSync(seen, "utf8"))).toMatchObject({
    tool_name: "Bash",
    tool_input: { command: "ls", description: "x" },
  });
  await own.close();
});
