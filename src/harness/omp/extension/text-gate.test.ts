import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  copyOf,
  type Fire,
  inMode,
  type PlayedCore,
  playCore,
  type Sent,
} from "../../../../tests/clients/pretended-omp.ts";
import { Adapter } from "./adapter.ts";

let core: PlayedCore;
let sent: Sent;
let aborts: number;
const adapters: Adapter[] = [];
beforeEach(() => {
  core = playCore();
  sent = { messages: [], entries: [] };
  aborts = 0;
});
afterEach(() => {
  for (const one of adapters.splice(0)) one.core.end();
  core.remove();
});

const times = { answerWithinMs: 5000, endingGraceMs: 150, textAnswerMs: 200 };
const payload = { model: "m", tools: [{}] };
const words = { message: { role: "assistant", content: [{ type: "text", text: "so " }] } };
const blank = { message: { role: "assistant", content: [{ type: "text", text: "  \n" }] } };
const began = { message: { role: "assistant", attribution: "agent" } };
function countAbort(): void {
  aborts += 1;
}

const inWindow = (api = "openai-completions") => inMode("tui", { api, aborts: countAbort });

function pretend(play: string): Fire {
  core.place(`PLAY=${play}`);
  const adapter = new Adapter({ ...times, binary: core.binary });
  adapters.push(adapter);
  return copyOf(adapter, { sent });
}

test("a pass leaves the request and its words alone; an empty start is no word", async () => {
  const fire = pretend("pass");
  expect(await fire("before_provider_request", { payload }, inWindow())).toBeUndefined();
  await fire("message_start", began, inWindow());
  await fire("message_update", blank, inWindow());
  await fire("message_update", words, inWindow());
  expect(aborts).toBe(0);
});

for (const [play, reason] of [
  ["refuse", "no\u2028never"],
  ["silent", "it has not answered"],
  ["odd", "the core gave an answer that is none"],
  ["die", "the core was ended by SIGKILL before it answered"],
] as const)
  test(`a gate that plays "${play}" is no pass: a tool is required, the first words are cut, once, and marked`, async () => {
    const fire = pretend(play);
    expect(await fire("before_provider_request", { payload }, inWindow())).toEqual({
      ...payload,
      tool_choice: "required",
    });
    await fire("message_start", began, inWindow());
    await fire("message_update", blank, inWindow());
    expect(aborts).toBe(0);
    await fire("message_update", words, inWindow());
    await fire("message_update", words, inWindow());
    expect(aborts).toBe(1);
    expect(sent.entries).toMatchObject([{ customType: "tama-cut", by: "tama" }]);
    expect(String(sent.entries[0]?.["reason"])).toContain(reason);
    await fire("agent_end", {}, inWindow());
    expect(sent.messages).toMatchObject([{ display: false, triggerTurn: true, attribution: "agent" }]);
    expect(String(sent.messages[0]?.["content"])).toContain(reason);
  });

test("an Anthropic Messages request goes unchanged, and its words are cut all the same", async () => {
  const fire = pretend("refuse");
  const context = inWindow("anthropic-messages");
  expect(await fire("before_provider_request", { payload }, context)).toBeUndefined();
  expect(core.payloads("before_provider")[0]).toMatchObject({ api: "anthropic-messages", canRequireTools: false });
  await fire("message_start", began, context);
  await fire("message_update", words, context);
  expect(aborts).toBe(1);
});

test("a pass counts for its own work generation only", async () => {
  const fire = pretend("pass");
  await fire("before_provider_request", { payload }, inWindow());
  await fire("input", { text: "something else" }, inWindow());
  await fire("message_start", began, inWindow());
  await fire("message_update", words, inWindow());
  expect(aborts).toBe(1);
});

test("a person's message takes the turn of a cut answer's continuation, and that is said", async () => {
  const fire = pretend("refuse");
  const status: (string | undefined)[] = [];
  const context = inMode("tui", { shown: { status, interrupt: null, closed: 0 }, aborts: () => {} });
  await fire("before_provider_request", { payload }, context);
  await fire("message_start", began, context);
  await fire("message_update", words, context);
  await fire("input", { text: "rather this" }, context);
  await fire("agent_end", {}, context);
  const line = "Tama: the cut answer's continuation did not start a turn: another message took the turn";
  for (let looks = 0; looks < 500 && !status.includes(line); looks += 1) await Bun.sleep(5);
  expect(status).toContain(line);
  expect(sent.messages).toEqual([]);
});

test("outside a window and in a subagent nothing is cut", async () => {
  const fire = pretend("refuse");
  for (const mode of ["print", "rpc", "json"]) {
    const context = inMode(mode, { aborts: countAbort });
    expect(await fire("before_provider_request", { payload }, context)).toEqual({
      ...payload,
      tool_choice: "required",
    });
    await fire("message_start", began, context);
    await fire("message_update", words, context);
  }
  expect(aborts).toBe(0);
});
