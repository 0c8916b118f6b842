import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Adapter, type Context, type Host } from "./extension.ts";

/**
 * The adapter against a core that plays a part. What the core does with a call stands in the call itself: `{"play": "pass" | "refuse" |
 * "silent" | "die" | "garbage" | "odd"}`; every line it gets is written to a file.
 */
const fakeCore = `
import { appendFileSync } from "node:fs";
process.stdout.write(JSON.stringify({ op: "ready", protocol: Number(process.env.PROTOCOL ?? 1), release: "0", catalog: "c" }) + "\\n");
let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    appendFileSync(process.env.SEEN, line + "\\n");
    const { id, op, event, payload, operation } = JSON.parse(line);
    const say = (answer) => { const text = JSON.stringify({ id, ...answer }) + "\\n"; process.stdout.write(text.slice(0, 5)); process.stdout.write(text.slice(5)); };
    if (op === "cancel") { say({ ok: true, dispatchId: "x", owned: true }); continue; }
    if (op === "request") { say({ ok: true, answer: { hooks: [{ hook: "slow-one", dispatch: "e1" }] } }); continue; }
    const play = payload?.input?.play ?? payload?.answer ?? "pass";
    if (play === "silent") process.stdout.write(JSON.stringify({ op: "progress", dispatchId: id, hook: "slow-one", line: "waiting" }) + "\\n");
    else if (play === "die") { process.stderr.write("about to die\\n"); process.kill(process.pid, "SIGKILL"); }
    else if (play === "garbage") process.stdout.write("{no json\\n");
    else if (play === "odd") say({ ok: true, verdict: "perhaps" });
    else if (play === "refuse") say({ ok: true, verdict: "refuse", blockedHookId: "h", refusal: "r-1", reason: "no\\u2028never", hooks: [] });
    else say({ ok: true, verdict: "pass", hooks: [], ...(payload?.text === "with context" ? { context: "know this" } : {}) });
  }
});
process.stdin.on("end", () => { try { appendFileSync(process.env.SEEN, JSON.stringify({ op: "eof" }) + "\\n"); } catch {} });
`;

let folder = "";
let binary = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-adapter-"));
  writeFileSync(join(folder, "core.ts"), fakeCore);
  binary = join(folder, "tama");
  script();
});
afterEach(() => {
  for (const { core } of adapters.splice(0)) core.end();
  rmSync(folder, { recursive: true, force: true });
});

function script(environment = ""): void {
  writeFileSync(
    binary,
    `#!/bin/sh\nSEEN='${join(folder, "seen")}' ${environment} exec '${process.execPath}' '${join(folder, "core.ts")}' "$@"\n`,
  );
  chmodSync(binary, 0o755);
}

const seen = (): Record<string, unknown>[] =>
  existsSync(join(folder, "seen"))
    ? readFileSync(join(folder, "seen"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
const events = (name: string) => seen().filter((line) => line["event"] === name);
const payloads = (name: string) => events(name).map((line) => line["payload"] as Record<string, unknown>);

async function until(holds: () => boolean, what: string): Promise<void> {
  const give = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > give) throw new Error(`never: ${what}; the core saw ${JSON.stringify(seen())}`);
    await Bun.sleep(5);
  }
}

const adapters: Adapter[] = [];
type Fire = (name: string, event?: object, context?: Context) => Promise<unknown>;

/** One copy of the adapter in a pretended OMP; `fire` gives an event to every handler as OMP does, one after another. */
function pretend(given: { answerWithinMs?: number; tools?: string[]; copies?: number } = {}): Fire {
  const adapter = new Adapter({ binary, answerWithinMs: given.answerWithinMs ?? 5000 });
  adapters.push(adapter);
  return copyOf(adapter, given);
}

function copyOf(adapter: Adapter, given: { tools?: string[]; copies?: number } = {}): Fire {
  const handlers: [string, (event: unknown, context: Context) => unknown][] = [];
  const host: Host = {
    on: (name, handler) => void handlers.push([name, handler]),
    getActiveTools: () => given.tools ?? [],
  };
  for (let copy = 0; copy < (given.copies ?? 1); copy += 1) adapter.attach(host);
  return async (name, event = {}, context = inMode("print")) => {
    const shared = { type: name, ...event };
    for (const [on, handler] of handlers) {
      const answer = on === name ? await handler(shared, context) : undefined;
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}

interface Shown {
  readonly status: (string | undefined)[];
  interrupt: (() => void) | null;
  closed: number;
}

function inMode(mode: string, more: { id?: string; file?: string; parent?: string; shown?: Shown } = {}): Context {
  return {
    mode,
    cwd: "/work/place",
    ui: {
      setStatus: (_key, text) => void more.shown?.status.push(text),
      notify: () => {},
      custom: (factory) =>
        new Promise((resolve, reject) => {
          const done = (value: unknown): void => {
            if (more.shown) more.shown.closed += 1;
            resolve(value);
          };
          if (more.shown) more.shown.interrupt = () => reject("Interrupted by user");
          factory(null, null, null, done);
        }),
    },
    sessionManager: {
      getSessionId: () => more.id ?? "s1",
      getSessionFile: () => more.file,
      getHeader: () => (more.parent === undefined ? {} : { parentSession: more.parent }),
    },
  };
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
  const [first, nested] = payloads("tool_call");
  expect(first).toMatchObject({
    session: "s1",
    agent: "main",
    cwd: "/work/place",
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
  expect(payloads("tool_call")[2]?.["message"]).not.toBe(first?.["message"]);
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
    expect(reason).toContain(`${binary} status`);
    expect(await fire("tool_call", call("pass", "c2"))).toBeUndefined();
  });
}

test("a missing binary, a folder and a program that is no core refuse", async () => {
  const fire = pretend();
  rmSync(binary);
  expect(reasonOf(await fire("tool_call", call("pass")))).toContain(`${binary}`);
  writeFileSync(binary, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  expect(reasonOf(await fire("tool_call", call("pass")))).toContain("the core ended before it answered (exit code 0)");
  writeFileSync(binary, "#!/bin/sh\necho hello; cat\n", { mode: 0o755 });
  expect(reasonOf(await fire("tool_call", call("pass")))).toContain("is no core of protocol 1; it said: hello");
  script("PROTOCOL=2");
  expect(reasonOf(await fire("tool_call", call("pass")))).toContain("is no core of protocol 1");
  script();
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
  await until(() => seen().some((line) => line["op"] === "cancel" && line["dispatchId"] === "e1"), "the cancel");
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
    await until(() => events("tool_call").length === 1, "the call");
    await fire(name, event);
    expect(reasonOf(await pending)).toStartWith("tama: this call did not run: ");
    await until(() => seen().some((line) => line["op"] === "cancel"), "the cancel");
  });
}

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
  await until(() => events("tool_result").length === 2, "two results");
  const [first, second] = payloads("tool_result");
  expect(first).toMatchObject({
    call: "c1",
    isError: true,
    text: "bad\nworse",
    details: { exitCode: 3 },
    input: { play: "pass" },
  });
  expect(second).toMatchObject({ call: "c2", isError: true, text: "aborted", input: { play: "pass" } });
  expect(first?.["message"]).toBe(payloads("tool_call")[0]?.["message"]);
});

test("outside a window a prompt is a person's message once, but not where OMP goes on by itself", async () => {
  const fire = pretend({ copies: 2 });
  const delivered = (role: string, attribution: string) => fire("message_start", { message: { role, attribution } });
  await fire("before_agent_start", { prompt: "do it" });
  await fire("before_agent_start", { prompt: "do it" });
  await fire("agent_start");
  await delivered("user", "user");
  await delivered("assistant", "agent");
  // Sent into the running turn.
  await fire("before_agent_start", { prompt: "not so" });
  await delivered("user", "user");
  await fire("agent_end", { willContinue: true });
  await fire("before_agent_start", { prompt: "the reason of a refused ending" });
  await fire("agent_start");
  await delivered("custom", "agent");
  await delivered("assistant", "agent");
  // OMP announced that it goes on, but the person was faster.
  await fire("agent_end", { willContinue: true });
  await fire("before_agent_start", { prompt: "do it" });
  await fire("agent_start");
  await delivered("user", "user");
  await until(() => events("input").length === 3, "three messages");
  expect(payloads("input").map((one) => one["text"])).toEqual(["do it", "not so", "do it"]);
});

test("in a window a typed message counts once, a slash command only when it becomes a prompt", async () => {
  const fire = pretend({ copies: 2 });
  const window = inMode("tui");
  await fire("input", { text: "hello" }, window);
  await fire("before_agent_start", { prompt: "hello" }, window);
  await fire("agent_start", {}, window);
  await fire("input", { text: "/new" }, window);
  await fire("input", { text: "/review a" }, window);
  await fire("before_agent_start", { prompt: "Review a." }, window);
  await until(() => events("input").length === 2, "two messages");
  expect(payloads("input").map((one) => one["text"])).toEqual(["hello", "Review a."]);
});

test("what an answer tells the model stands before the turn", async () => {
  const answer = await pretend()("before_agent_start", { prompt: "with context" });
  expect(answer).toEqual({
    message: { customType: "tama", content: "know this", display: false, attribution: "agent" },
  });
});

test("a subagent's state is its own, in the session that started it", async () => {
  const adapter = new Adapter({ binary, answerWithinMs: 5000 });
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
  const owners = payloads("tool_call").map((one) => [one["session"], one["agent"], one["agentId"]]);
  expect(owners).toEqual([
    ["s1", "main", undefined],
    ["s1", "sub", "One"],
    ["s1", "sub", "One/Deep"],
    ["s4", "main", undefined],
    ["s1", "sub", "s5"],
  ]);
  expect(events("input")).toEqual([]);
});

test("loaded twice it asks once", async () => {
  const fire = pretend({ copies: 2 });
  await fire("tool_call", call("pass"));
  expect(events("tool_call").length).toBe(1);
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
  await until(() => payloads("stop").some((one) => one["answer"] === "silent"), "the ending");
  controller.abort();
  expect(await pending).toBeUndefined();
  expect(payloads("stop")[0]).toMatchObject({ answer: "refuse", stopHookActive: false, stopReason: "stop" });
});

test("at the end the core is told and let go, and a late result starts no new one", async () => {
  const fire = pretend();
  await fire("session_start");
  await fire("tool_call", call("pass"));
  await fire("session_shutdown");
  await until(() => seen().at(-1)?.["op"] === "eof", "the end of the core's input");
  expect(events("session_end").length).toBe(1);
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
