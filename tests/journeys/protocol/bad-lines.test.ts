import { afterAll, beforeAll, expect, test } from "bun:test";
import { type DrivenCore, type Frame, startCore } from "../core-driver.ts";
import { declareHook, makeWorld, type World } from "../tama-command.ts";

/** A line that cannot be taken is answered with its number and the cause, and the core goes on (contract 2). */
let world: World;
let core: DrivenCore;
/** Lines sent so far, counted as the core counts them. */
let lines = 0;

beforeAll(async () => {
  world = makeWorld();
  core = await startCore(world);
});

afterAll(async () => {
  await core.close();
  world.remove();
});

/** Sends one line and returns the next frame the core writes. */
async function reply(line: string | Uint8Array): Promise<Frame> {
  const before = core.frames.length;
  lines++;
  core.sendBytes(line);
  core.sendBytes("\n");
  return await core.frame("a reply", (frame) => core.frames.indexOf(frame) >= before);
}

const bad = (id: string | null, cause: string | RegExp): Frame => ({
  id,
  ok: false,
  error:
    typeof cause === "string"
      ? `line ${lines}: ${cause}`
      : expect.stringMatching(new RegExp(`^line ${lines}: ${cause.source}`)),
});

test("the first line is the ready line", () => {
  expect(core.frames[0]).toEqual({
    op: "ready",
    protocol: 1,
    release: expect.stringMatching(/^\d+\.\d+\.\d+/),
    catalog: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

for (const [name, line, id, cause] of [
  ["an empty line", "", null, "empty"],
  ["white space", "  \t", null, /not JSON: /],
  ["no JSON", "hello", null, /not JSON: /],
  ["half a JSON", '{"id":"a","op":"dispatch"', null, /not JSON: /],
  ["two objects on one line", '{"id":"a"}{"id":"b"}', null, /not JSON: /],
  ["a byte order mark", '\ufeff{"id":"a","op":"cancel","dispatchId":"x"}', null, /not JSON: /],
  ["a NUL byte", "\u0000", null, /not JSON: /],
  ["a raw control character in a string", '{"id":"a\u0001","op":"cancel"}', null, /not JSON: /],
  ["a list", "[1,2]", null, "not a JSON object"],
  ["a number", "17", null, "not a JSON object"],
  ["null", "null", null, "not a JSON object"],
  ["a string", '"x"', null, "not a JSON object"],
  ["no id", '{"op":"dispatch"}', null, "line.id: missing"],
  ["an empty id", '{"id":"","op":"dispatch"}', null, /line\.id: /],
  ["a number as id", '{"id":0,"op":"dispatch"}', null, "line.id: expected string, got 0"],
  ["null as id", '{"id":null,"op":"dispatch"}', null, "line.id: expected string, got null"],
  ["no op", '{"id":"a"}', "a", "line.op: missing"],
  ["an op that is no word", '{"id":"a","op":7}', "a", "line.op: expected string, got 7"],
  ["an unknown op", '{"id":"a","op":"stop"}', "a", 'unknown op "stop"; there are dispatch, cancel and request'],
  ["no event", '{"id":"a","op":"dispatch","payload":{}}', "a", "line.event: missing"],
  ["an unknown event", '{"id":"a","op":"dispatch","event":"toolcall"}', "a", /unknown event "toolcall"; there are /],
  ["an event from a prototype", '{"id":"a","op":"dispatch","event":"toString"}', "a", /unknown event "toString"; /],
  ["no payload", '{"id":"a","op":"dispatch","event":"input"}', "a", "payload: missing"],
  [
    "a payload that is null",
    '{"id":"a","op":"dispatch","event":"input","payload":null}',
    "a",
    /payload: expected an object/,
  ],
  [
    "a list as payload",
    '{"id":"a","op":"dispatch","event":"stop","payload":[]}',
    "a",
    /payload: expected an object, got a list/,
  ],
  ["no text", '{"id":"a","op":"dispatch","event":"input","payload":{}}', "a", "payload.text: missing"],
  ["no tool", '{"id":"a","op":"dispatch","event":"tool_call","payload":{"input":{}}}', "a", "payload.tool: missing"],
  [
    "an empty tool",
    '{"id":"a","op":"dispatch","event":"tool_call","payload":{"tool":"","input":{}}}',
    "a",
    /payload\.tool: /,
  ],
  ["no input", '{"id":"a","op":"dispatch","event":"tool_call","payload":{"tool":"x"}}', "a", "payload.input: missing"],
  [
    "no isError",
    '{"id":"a","op":"dispatch","event":"tool_result","payload":{"tool":"x","input":1,"text":""}}',
    "a",
    "payload.isError: missing",
  ],
  [
    "isError that is no boolean",
    '{"id":"a","op":"dispatch","event":"tool_result","payload":{"tool":"x","input":1,"isError":"no","text":""}}',
    "a",
    /payload\.isError: expected boolean/,
  ],
  [
    "no text of a result",
    '{"id":"a","op":"dispatch","event":"tool_result","payload":{"tool":"x","input":1,"isError":true}}',
    "a",
    "payload.text: missing",
  ],
  ["no answer of a stop", '{"id":"a","op":"dispatch","event":"stop","payload":{}}', "a", "payload.answer: missing"],
  [
    "a session that is a number",
    '{"id":"a","op":"dispatch","event":"stop","payload":{"answer":"","session":7}}',
    "a",
    /payload\.session: /,
  ],
  [
    "an agent that is none",
    '{"id":"a","op":"dispatch","event":"stop","payload":{"answer":"","agent":"boss"}}',
    "a",
    /payload\.agent: /,
  ],
  [
    "a kind that is none",
    '{"id":"a","op":"dispatch","event":"tool_call","payload":{"tool":"x","input":1,"kind":"spell"}}',
    "a",
    /payload\.kind: /,
  ],
  ["a cancel of nothing", '{"id":"a","op":"cancel"}', "a", "line.dispatchId: missing"],
  ["a cancel of an empty id", '{"id":"a","op":"cancel","dispatchId":""}', "a", /line\.dispatchId: /],
  ["a request for nothing", '{"id":"a","op":"request"}', "a", "line.operation: missing"],
  [
    "an unknown operation",
    '{"id":"a","op":"request","operation":"calls/forget"}',
    "a",
    /unknown operation "calls\/forget"; there are calls\/failed, calls\/retry, /,
  ],
  [
    "an operation from a prototype",
    '{"id":"a","op":"request","operation":"constructor"}',
    "a",
    /unknown operation "constructor"; there are /,
  ],
  [
    "a body that is a list",
    '{"id":"a","op":"request","operation":"calls/failed","body":[]}',
    "a",
    /line\.body: expected an object, got a list/,
  ],
  ["a body that is a word", '{"id":"a","op":"request","operation":"calls/failed","body":"s"}', "a", /line\.body: /],
] as const) {
  test(`${name} is refused with its line's number and the cause`, async () => {
    expect(await reply(line)).toEqual(bad(id, cause));
  });
}

test("bytes that are no UTF-8 are refused", async () => {
  expect(await reply(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toEqual(bad(null, "not UTF-8"));
  // A surrogate written as if it were a character.
  expect(await reply(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toEqual(bad(null, "not UTF-8"));
});

test("a line over 64 MiB is refused once, at its end, and the next one is taken", async () => {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  lines++;
  core.sendBytes('{"id":"long","op":"dispatch","event":"input","payload":{"text":"');
  for (let sent = 0; sent < 65; sent++) core.sendBytes(chunk);
  core.sendBytes('"}}\n');
  expect(await core.frame("its refusal", (frame) => String(frame["error"]).includes("longer than"))).toEqual(
    bad(null, "longer than 67108864 bytes"),
  );
  lines++;
  expect(await core.dispatch("input", { text: "next" }, "after-long")).toMatchObject({ ok: true });
});

test("a line just under 64 MiB is taken", async () => {
  lines++;
  const text = "y".repeat(64 * 1024 * 1024 - 100);
  core.send(`{"id":"near","op":"dispatch","event":"input","payload":{"text":"${text}"}}`);
  expect(await core.answer("near")).toMatchObject({ ok: true, verdict: "pass" });
});

test("a carriage return before the newline, and line separators inside strings, are no matter", async () => {
  expect(await reply('{"id":"crlf","op":"dispatch","event":"input","payload":{"text":"a"}}\r')).toMatchObject({
    ok: true,
  });
  const split = '{"id":"u\u2028\u2029\u0085","op":"dispatch","event":"input","payload":{"text":"a\u2028b"}}';
  expect(await reply(split)).toMatchObject({ id: "u\u2028\u2029\u0085", ok: true, verdict: "pass" });
});

test("unknown fields are ignored, also those with a prototype's names", async () => {
  const odd =
    '{"id":"odd","op":"dispatch","event":"input","payload":{"text":"a","__proto__":{"session":"x"},"constructor":1,"new":[{}]},"__proto__":{"op":"cancel"},"more":1}';
  expect(await reply(odd)).toMatchObject({ id: "odd", ok: true, verdict: "pass" });
});

test("null stands for an absent field everywhere but in the four that must be there", async () => {
  const nothing = Object.fromEntries(
    [
      "session",
      "agentId",
      "agent",
      "cwd",
      "transcript",
      "window",
      "generation",
      "call",
      "message",
      "kind",
      "purpose",
      "purposeUnknown",
    ].map((field) => [field, null]),
  );
  expect(await core.dispatch("tool_call", { ...nothing, tool: "bash", input: null }, "nulls")).toMatchObject({
    verdict: "pass",
  });
  lines++;
});

test("after all that the core still judges", async () => {
  await declareHook(world, { id: "no", command: [world.script("no", "echo no >&2; exit 2")] });
  expect(await core.dispatch("tool_call", { tool: "bash", input: {} }, "last")).toMatchObject({
    verdict: "refuse",
    blockedHookId: "no",
    reason: "no",
  });
  expect(core.stderr()).toBe("");
});
