import { expect, test } from "bun:test";
import type { Answer } from "../words/wire.ts";
import { openRefusedSends } from "./refused-sends.ts";
import { type Call, describeCall } from "./repeat/call.ts";

const send = (command: string, call: string | null): Call =>
  describeCall("omp", { tool: "bash", input: { command }, call });
const refused = (reason: string): Answer => ({
  ok: true,
  verdict: "refuse",
  blockedHookId: "x",
  refusal: "r-1",
  reason,
  hooks: [],
});
const passed: Answer = { ok: true, verdict: "pass", hooks: [] };

test("a refused send is known by its harness id, whatever its result says", () => {
  const sends = openRefusedSends();
  sends.note("s", send("a", "c1"), refused("no"));
  expect(sends.isAnswerToOne("s", send("a", "c1"), "anything")).toBe(true);
  expect(sends.isAnswerToOne("s", send("a", "c2"), "no")).toBe(false);
  expect(sends.isAnswerToOne("t", send("a", "c1"), "no")).toBe(false);
});

test("without an id it is known by the refusal's own words", () => {
  const sends = openRefusedSends();
  sends.note("s", send("a", null), refused("not now\nmore"));
  expect(sends.isAnswerToOne("s", send("a", null), "Blocked: not now")).toBe(true);
  expect(sends.isAnswerToOne("s", send("a", null), "exit 1")).toBe(false);
  expect(sends.isAnswerToOne("s", send("b", null), "not now")).toBe(false);
});

test("an id used again for an admitted call is that call's", () => {
  const sends = openRefusedSends();
  sends.note("s", send("a", "c1"), refused("no"));
  sends.note("s", send("b", "c1"), passed);
  expect(sends.isAnswerToOne("s", send("b", "c1"), "no")).toBe(false);
});

test("it holds no more than are ever open", () => {
  const sends = openRefusedSends();
  for (let at = 0; at < 5000; at++) sends.note("s", send("a", `c${at}`), refused("no"));
  expect(sends.isAnswerToOne("s", send("a", "c0"), "no")).toBe(false);
  expect(sends.isAnswerToOne("s", send("a", "c4999"), "no")).toBe(true);
});
