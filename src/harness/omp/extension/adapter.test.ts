import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import {
  copyOf,
  type Fire,
  inMode,
  type PlayedCore,
  playCore,
  type Shown,
} from "../../../../tests/clients/pretended-omp.ts";
import { Adapter } from "./adapter.ts";

let core: PlayedCore;
const adapters: Adapter[] = [];
beforeEach(() => {
  core = playCore();
});
afterEach(() => {
  for (const one of adapters.splice(0)) one.core.end();
  core.remove();
});

const times = { answerWithinMs: 5000, endingGraceMs: 300, textAnswerMs: 300 };

async function until(holds: () => boolean, what: string): Promise<void> {
  const give = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > give) throw new Error(`never: ${what}; the core saw ${JSON.stringify(core.seen())}`);
    await Bun.sleep(5);
  }
}

function pretend(given: { answerWithinMs?: number; copies?: number } = {}): Fire {
  const adapter = new Adapter({ ...times, binary: core.binary, answerWithinMs: given.answerWithinMs ?? 5000 });
  adapters.push(adapter);
  return copyOf(adapter, given);
}

const call = (play: string, id = "c1", more: object = {}) => ({
  toolName: "bash",
  toolCallId: id,
  input: { play, i: "label", ...more },
});
const reasonOf = (answer: unknown) => (answer as { block: boolean; reason: string }).reason;

test("a call is forwarded with where it stands, and without its label", async () => {
  const fire = pretend();
  await fire("turn_start");
  await fire("message_update", {
    message: {
      role: "assistant",
      content: [{ type: "toolCall", id: "c1", arguments: { play: "pass", i: "looking" } }],
    },
  });
  expect(await fire("tool_call", call("pass"))).toBeUndefined();
  await fire("tool_call", call("pass", "nested"));
  const [first, nested] = core.payloads("tool_call");
  expect(first).toMatchObject({
    session: "s1",
    agent: "main",
    cwd: "/srv/place",
    window: false,
    tool: "bash",
    call: "c1",
    input: { play: "pass" },
    purpose: "looking",
  });
  expect(first?.["input"]).toEqual({ play: "pass" });
  expect(nested).toMatchObject({ purposeUnknown: true });
  expect(nested?.["message"]).toBe(first?.["message"]);
  await fire("turn_start");
  await fire("tool_call", call("pass", "c2"));
  expect(core.payloads("tool_call")[2]?.["message"]).not.toBe(first?.["message"]);
});

test("a refusal blocks with exactly its reason, whatever characters stand in it", async () => {
  expect(await pretend()("tool_call", call("refuse"))).toEqual({ block: true, reason: "no\u2028never" });
});

for (const [play, says] of [
  ["die", "the core was ended by SIGKILL before it answered; it last said: about to die"],
  ["garbage", "the core wrote what answers nothing: {no json"],
  ["odd", 'the core gave an answer that is none: {"id":"e1","ok":true,"verdict":"perhaps"}'],
] as const) {
  test(`a core that plays "${play}" refuses the call with the cause, and the next call is decided`, async () => {
    const fire = pretend();
    const reason = reasonOf(await fire("tool_call", call(play)));
    expect(reason).toStartWith(`TAMA_HOOK_INFRASTRUCTURE: tama: ${says}. `);
    expect(reason).toContain(`${core.binary} status`);
    expect(await fire("tool_call", call("pass", "c2"))).toBeUndefined();
  });
}

test("a missing binary and a program that is no core refuse", async () => {
  const fire = pretend();
  rmSync(core.binary);
  expect(reasonOf(await fire("tool_call", call("pass")))).toContain(`${core.binary}`);
  writeFileSync(core.binary, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  expect(reasonOf(await fire("tool_call", call("pass")))).toContain("the core ended before it answered (exit code 0)");
  writeFileSync(core.binary, "#!/bin/sh\necho hello; cat\n", { mode: 0o755 });
  expect(reasonOf(await fire("tool_call", call("pass")))).toContain("is no core of protocol 1; it said: hello");
  core.place("PROTOCOL=2");
  expect(reasonOf(await fire("tool_call", call("pass")))).toContain("is no core of protocol 1");
  core.place();
  expect(await fire("tool_call", call("pass"))).toBeUndefined();
});

test("a flood of calls at once is answered each", async () => {
  const fire = pretend();
  const big = "x".repeat(300_000);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => fire("tool_call", call(n % 2 === 0 ? "pass" : "refuse", `c${n}`, { big }))),
  );
  expect(answers.map((answer) => answer !== undefined)).toEqual(Array.from({ length: 40 }, (_, n) => n % 2 === 1));
});

test("outside a window a late verdict is refused in time, naming what is waited for, and given up", async () => {
  const fire = pretend({ answerWithinMs: 400 });
  const reason = reasonOf(await fire("tool_call", call("silent")));
  expect(reason).toStartWith("TAMA_HOOK_INFRASTRUCTURE: tama: slow-one did not answer for this bash call after 0 s");
  await until(() => core.seen().some((line) => line["op"] === "cancel" && line["dispatchId"] === "e1"), "the cancel");
});

test("in a window OMP's clock is stopped, and an interrupt gives the call up", async () => {
  const shown: Shown = { status: [], interrupt: null, closed: 0 };
  const fire = pretend({ answerWithinMs: 1 });
  const pending = fire("tool_call", call("silent"), inMode("tui", { shown }));
  await until(() => shown.interrupt !== null, "the overlay");
  expect(shown.status).toContain("tama: slow-one: waiting");
  shown.interrupt?.();
  expect(reasonOf(await pending)).toBe("tama: this call did not run: the run was interrupted.");
  expect(shown.status.at(-1)).toBeUndefined();
  expect(shown.closed).toBe(1);
});

for (const [name, event] of [
  ["input", { text: "stop that" }],
  ["session_switch", { reason: "new" }],
  ["session_shutdown", {}],
] as const) {
  test(`${name} gives a waiting call up, and it is refused with the cause`, async () => {
    const fire = pretend();
    const pending = fire("tool_call", call("silent"));
    await until(() => core.events("tool_call").length === 1, "the call");
    await fire(name, event);
    expect(reasonOf(await pending)).toStartWith("tama: this call did not run: ");
    await until(() => core.seen().some((line) => line["op"] === "cancel"), "the cancel");
  });
}

test("a compaction beside a run gives none of its calls up", async () => {
  const fire = pretend({ answerWithinMs: 800 });
  const pending = fire("tool_call", call("silent"));
  await until(() => core.events("tool_call").length === 1, "the call");
  await fire("session_compact", { compactionEntry: { summary: "s" } });
  expect(reasonOf(await pending)).toStartWith("TAMA_HOOK_INFRASTRUCTURE: tama: slow-one did not answer");
});

test("a result settles its call under the same message; an end without one settles an admitted call only", async () => {
  const fire = pretend();
  await fire("turn_start");
  for (const [play, id] of [
    ["pass", "c1"],
    ["pass", "c2"],
    ["refuse", "c3"],
  ] as const)
    await fire("tool_call", call(play, id));
  await fire("turn_start");
  const content = [{ type: "text", text: "bad" }, { type: "image" }, { type: "text", text: "worse" }];
  await fire("tool_result", { ...call("pass", "c1"), content, details: { exitCode: 3 }, isError: true });
  for (const id of ["c1", "c2", "c3"])
    await fire("tool_execution_end", {
      toolName: "bash",
      toolCallId: id,
      result: { content: [{ type: "text", text: "aborted" }] },
      isError: true,
    });
  await until(() => core.events("tool_result").length === 2, "two results");
  const [first, second] = core.payloads("tool_result");
  expect(first).toMatchObject({
    call: "c1",
    isError: true,
    text: "bad\nworse",
    details: { exitCode: 3 },
    input: { play: "pass" },
  });
  expect(second).toMatchObject({ call: "c2", isError: true, text: "aborted", input: { play: "pass" } });
  expect(first?.["message"]).toBe(core.payloads("tool_call")[0]?.["message"]);
});

test("a subagent's state is its own, in the session that started it", async () => {
  const adapter = new Adapter({ ...times, binary: core.binary });
  adapters.push(adapter);
  const main = inMode("print", { id: "s1", file: "/t/2026_s1.jsonl" });
  const sub = inMode("print", { id: "s2", file: "/t/2026_s1/One.jsonl", parent: "/t/2026_s1.jsonl" });
  const inner = inMode("print", { id: "s3", file: "/t/2026_s1/One/Deep.jsonl", parent: "/t/2026_s1/One.jsonl" });
  const fork = inMode("print", { id: "s4", file: "/t/2027_s4.jsonl", parent: "/t/2026_s1.jsonl" });
  const unkept = inMode("print", { id: "s5", file: "/tmp/omp-task-1/One.jsonl" });
  await copyOf(adapter)("session_start", {}, main);
  for (const context of [main, sub, inner, fork]) await copyOf(adapter)("tool_call", call("pass"), context);
  await copyOf(adapter, { tools: ["bash", "yield"] })("tool_call", call("pass"), unkept);
  await copyOf(adapter)("before_agent_start", { prompt: "an assignment" }, sub);
  const owners = core.payloads("tool_call").map((one) => [one["session"], one["agent"], one["agentId"]]);
  expect(owners).toEqual([
    ["s1", "main", undefined],
    ["s1", "sub", "One"],
    ["s1", "sub", "One/Deep"],
    ["s4", "main", undefined],
    ["s1", "sub", "s5"],
  ]);
  expect(core.events("input")).toEqual([]);
});

test("loaded twice it asks once", async () => {
  const fire = pretend({ copies: 2 });
  await fire("tool_call", call("pass"));
  expect(core.events("tool_call").length).toBe(1);
});

test("an ending is refused with the hook's reason, with a fault once, and never for an interrupt", async () => {
  const fire = pretend();
  const ending = (answer: string, more: object = {}) => ({
    last_assistant_message: { content: [{ type: "text", text: answer }], stopReason: "stop" },
    stop_hook_active: false,
    ...more,
  });
  expect(await fire("session_stop", ending("refuse"))).toEqual({ decision: "block", reason: "no\u2028never" });
  expect(await fire("session_stop", ending("pass"))).toBeUndefined();
  expect(await fire("session_stop", ending("die"))).toMatchObject({ decision: "block" });
  expect(await fire("session_stop", ending("die", { stop_hook_active: true }))).toBeUndefined();
  const controller = new AbortController();
  const pending = fire("session_stop", ending("silent", { signal: controller.signal }));
  await until(() => core.payloads("stop").some((one) => one["answer"] === "silent"), "the ending");
  controller.abort();
  expect(await pending).toBeUndefined();
  expect(core.payloads("stop")[0]).toMatchObject({ answer: "refuse", stopHookActive: false, stopReason: "stop" });
});

test("at the end the core is told and let go, and a late result starts no new one", async () => {
  const fire = pretend();
  await fire("session_start");
  await fire("tool_call", call("pass"));
  await fire("session_shutdown");
  await until(() => core.seen().at(-1)?.["op"] === "eof", "the end of the core's input");
  expect(core.events("session_end").length).toBe(1);
  await fire("tool_result", { ...call("pass"), content: [], isError: true });
  expect(adapters[0]?.core.pid).toBeNull();
});

test("an error in OMP's own objects never leaves a handler, and refuses a call", async () => {
  const broken = {
    ...inMode("print"),
    sessionManager: {
      getSessionId: (): string => {
        throw new Error("gone");
      },
      getSessionFile: () => undefined,
    },
  };
  const fire = pretend();
  expect(reasonOf(await fire("tool_call", call("pass"), broken))).toContain("the adapter failed: gone");
  expect(await fire("turn_start", {}, broken)).toBeUndefined();
});
