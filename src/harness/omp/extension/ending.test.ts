import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  copyOf,
  type Fire,
  inMode,
  type PlayedCore,
  playCore,
  type Sent,
} from "../../../../tests/clients/pretended-omp.ts";
import { Adapter } from "./adapter.ts";
import type { Setting } from "./host.ts";

let core: PlayedCore;
let folder: string;
const adapters: Adapter[] = [];
beforeEach(() => {
  core = playCore();
  folder = mkdtempSync(join(tmpdir(), "tama-ending-"));
});
afterEach(() => {
  for (const one of adapters.splice(0)) one.core.end();
  core.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function until(holds: () => boolean, what: string): Promise<void> {
  const give = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > give) throw new Error(`never: ${what}; the core saw ${JSON.stringify(core.seen())}`);
    await Bun.sleep(5);
  }
}

function pretend(sent: Sent, times: Partial<Setting> = {}): Fire {
  const usual = { answerWithinMs: 5000, endingGraceMs: 150, textAnswerMs: 300 };
  const adapter = new Adapter({ ...usual, ...times, binary: core.binary });
  adapters.push(adapter);
  return copyOf(adapter, { sent });
}

const nothing = (): Sent => ({ messages: [], entries: [] });
const answer = (text: string) => ({
  last_assistant_message: { role: "assistant", content: [{ type: "text", text }], stopReason: "stop" },
});
const window = () => inMode("tui", { file: join(folder, "session.jsonl") });
const stops = () => core.events("stop").length;
const reasonOf = (given: unknown) => (given as { decision: string; reason: string } | undefined)?.reason;

for (const [name, event, cause] of [
  ["session_compact", { compactionEntry: { summary: "s" } }, "the session was compacted"],
  ["tool_result", { toolName: "bash", toolCallId: "c", input: {}, content: [] }, "a tool returned its result"],
  ["session_shutdown", {}, "the session shut down"],
  ["session_switch", { reason: "new" }, "the session was activated again"],
] as const)
  test(`an assessment that ${name} ends refuses the ending with that cause`, async () => {
    const fire = pretend(nothing());
    await fire("turn_start", {}, window());
    const pending = fire("session_stop", answer("silent"), window());
    await until(() => stops() === 1, "the assessment");
    await fire(name, event, window());
    expect(reasonOf(await pending)).toBe(
      `TAMA_HOOK_INFRASTRUCTURE: tama: the assessment of this answer ended before its hooks answered: ${cause}. Nothing was judged.`,
    );
    await until(() => core.seen().some((line) => line["op"] === "cancel"), "the cancel");
  });

test("an answer that the person left for another place in the session is not asked about; one that stands there is", async () => {
  const fire = pretend(nothing());
  const entry = { type: "message", message: answer("silent").last_assistant_message };
  const at = (branch: unknown[]) => {
    const context = window();
    const sessionManager = { ...context.sessionManager, getEntries: () => [entry], getBranch: () => branch };
    return { ...context, sessionManager };
  };
  await fire("turn_start", {}, at([entry]));
  await fire("session_tree", {}, at([]));
  expect(await fire("session_stop", answer("silent"), at([]))).toBeUndefined();
  expect(stops()).toBe(0);
  void fire("session_stop", answer("silent"), at([entry]));
  await until(() => stops() === 1, "the assessment of one on the branch");
  // Without the person's step OMP itself moved, and the ending is the session's.
  await fire("turn_start", {}, at([]));
  void fire("session_stop", answer("silent"), at([]));
  await until(() => stops() === 2, "the assessment of one that OMP moved from");
});

test("a newer candidate refuses the older ending with the cause; the person's message and an interrupt give no refusal", async () => {
  const fire = pretend(nothing());
  await fire("turn_start", {}, window());
  const older = fire("session_stop", answer("silent"), window());
  await until(() => stops() === 1, "the first assessment");
  await fire("turn_start", {}, window());
  const newer = fire("session_stop", answer("silent"), window());
  expect(reasonOf(await older)).toContain("a newer candidate answer replaced it");
  await until(() => stops() === 2, "the second assessment");
  await fire("input", { text: "rather this" }, window());
  expect(await newer).toBeUndefined();
  const abort = new AbortController();
  const interrupted = fire("session_stop", { ...answer("silent"), signal: abort.signal }, window());
  await until(() => stops() === 3, "the third assessment");
  abort.abort();
  expect(await interrupted).toBeUndefined();
});

test("an ending that was sent back already and is replaced again is left to the newer one, which is refused itself", async () => {
  const fire = pretend(nothing());
  await fire("turn_start", {}, window());
  const older = fire("session_stop", { ...answer("silent"), stop_hook_active: true }, window());
  await until(() => stops() === 1, "the first assessment");
  await fire("turn_start", {}, window());
  expect(reasonOf(await fire("session_stop", { ...answer("refuse"), stop_hook_active: true }, window()))).toContain(
    "no",
  );
  expect(await older).toBeUndefined();
});

test("the same candidate is assessed once; another text, generation or transcript is another candidate", async () => {
  const file = join(folder, "session.jsonl");
  const fire = pretend(nothing());
  await fire("turn_start", {}, window());
  expect(await fire("session_stop", answer("fine"), window())).toBeUndefined();
  // OMP makes the file late, and appends to it for a refused ending: neither is another candidate.
  writeFileSync(file, "{}\n");
  await fire("session_stop", answer("fine"), window());
  expect(stops()).toBe(1);
  await fire("session_stop", answer("other words"), window());
  expect(stops()).toBe(2);
  writeFileSync(file, "{}\n{}\n");
  await fire("session_stop", answer("other words"), window());
  expect(stops()).toBe(2);
  writeFileSync(`${file}.new`, "{}\n");
  renameSync(`${file}.new`, file);
  await fire("session_stop", answer("other words"), window());
  expect(stops()).toBe(3);
  await fire("input", { text: "more" }, window());
  await fire("session_stop", answer("other words"), window());
  expect(stops()).toBe(4);
});

test("a refusal that comes after the budget starts a turn; one that was given up before sends nothing", async () => {
  const sent = nothing();
  const fire = pretend(sent, { answerWithinMs: 300 });
  await fire("turn_start", {}, window());
  expect(await fire("session_stop", answer("slow refuse"), window())).toBeUndefined();
  await until(() => sent.messages.length === 1, "the late refusal");
  expect(sent.messages[0]).toMatchObject({
    customType: "tama-ending",
    content: "no, late",
    triggerTurn: true,
    attribution: "agent",
  });
  await fire("agent_start", {}, window());
  await fire("turn_start", {}, window());
  expect(await fire("session_stop", answer("silent"), window())).toBeUndefined();
  await fire("input", { text: "rather this" }, window());
  await until(() => core.seen().some((line) => line["op"] === "cancel"), "the cancel");
  await fire("turn_start", {}, window());
  expect(await fire("session_stop", answer("silent"), window())).toBeUndefined();
  await fire("session_compact", { compactionEntry: { summary: "s" } }, window());
  await until(() => sent.messages.length === 2, "the refusal after the compaction");
  expect(sent.messages[1]?.["content"]).toContain("the session was compacted");
});

test("without a window an unfinished ending is refused with names and time, and let through when only answered again", async () => {
  const sent = nothing();
  const fire = pretend(sent);
  await fire("turn_start");
  const unfinished =
    /^TAMA_HOOK_INFRASTRUCTURE: tama: the assessment of this answer is not finished: .* did not answer within \d\.\d s\. /;
  expect(reasonOf(await fire("session_stop", answer("silent")))).toMatch(unfinished);
  await fire("tool_call", { toolName: "bash", toolCallId: "c1", input: { play: "pass" } });
  await fire("tool_result", {
    toolName: "bash",
    toolCallId: "c1",
    input: {},
    content: [],
    details: {},
    isError: false,
  });
  await fire("turn_start");
  expect(reasonOf(await fire("session_stop", answer("silent")))).toMatch(unfinished);
  await fire("turn_start");
  expect(await fire("session_stop", answer("silent"))).toBeUndefined();
  expect(sent.entries).toMatchObject([{ customType: "tama-gate-cycle" }]);
});

test("a core that hangs holds no ending until OMP's clock lets it pass: it is refused", async () => {
  const fire = pretend(nothing());
  await fire("turn_start");
  expect(await fire("session_stop", answer("fine"))).toBeUndefined();
  const pid = adapters[0]?.core.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    await fire("turn_start");
    expect(reasonOf(await fire("session_stop", answer("fine")))).toContain("its stop hooks did not answer within");
  } finally {
    process.kill(pid, "SIGCONT");
  }
}, 20_000);
