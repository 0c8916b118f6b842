import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reaches } from "./declaration.ts";
import { eventNames, type HookEvent, isEventName, parseEvent } from "./event.ts";
import { parseLine } from "./wire.ts";

const least: Readonly<Record<string, object>> = {
  input: { text: "" },
  tool_call: { tool: "x", input: null },
  tool_result: { tool: "x", input: 0, isError: false, text: "" },
  stop: { answer: "" },
};

test("each event is taken with its bold fields alone, and without one of them is not", () => {
  for (const name of eventNames) {
    const payload = least[name] ?? {};
    expect(parseEvent(name, payload)).toEqual({ event: name, payload } as HookEvent);
    for (const field of Object.keys(payload)) {
      const { [field]: _gone, ...rest } = payload as Record<string, unknown>;
      expect(parseEvent(name, rest)).toBe(`payload.${field}: missing`);
    }
  }
});

test("unknown fields are kept, a list is no payload", () => {
  expect(parseEvent("input", { text: "a", new: [1] })).toMatchObject({ payload: { new: [1] } });
  for (const name of eventNames) expect(parseEvent(name, [])).toBe("payload: expected an object, got a list");
});

test("only the eight names are events", () => {
  for (const name of ["toString", "__proto__", "", "Tool_call", null, 7]) expect(isEventName(name)).toBe(false);
});

test("no line whatever throws, and a line that is taken names one op", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) =>
      expect(["bad", "dispatch", "cancel", "request"]).toContain(parseLine(text).op),
    ),
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (event, payload, id) => {
      const line = parseLine(JSON.stringify({ id, op: "dispatch", event, payload }));
      expect(line.op === "bad" || isEventName(event)).toBe(true);
    }),
  );
});

describe("which events a declaration reaches", () => {
  const event = (name: string, payload: object): HookEvent =>
    ({ event: name, payload: { ...least[name], ...payload } }) as HookEvent;
  for (const [on, given, kind, reached] of [
    [{ event: "tool_call" }, event("tool_call", {}), "other", true],
    [{ event: "tool_call", tools: ["X"] }, event("tool_call", {}), "other", true],
    [{ event: "tool_call", tools: ["y", "kind:other"] }, event("tool_call", {}), "other", true],
    [{ event: "tool_call", tools: ["kind:shell"] }, event("tool_call", {}), "other", false],
    [{ event: "tool_call" }, event("tool_result", {}), "other", false],
    [{ event: "tool_call", harness: "codex" }, event("tool_call", {}), "other", false],
    [{ event: "stop" }, event("stop", {}), null, true],
    [{ event: "stop" }, event("stop", { agent: "sub" }), null, false],
    [{ event: "stop" }, event("stop", { agentId: "a" }), null, false],
    [{ event: "stop", agent: "sub" }, event("stop", { agentId: "a" }), null, true],
    [{ event: "tool_call", agent: "main" }, event("tool_call", { agent: "main", agentId: "a" }), "other", true],
    [{ event: "input" }, event("input", { agentId: "a" }), null, true],
  ] as const)
    test(JSON.stringify([on, given.payload, kind]), () => {
      expect(reaches({ on: [on as never] }, given, "omp", kind)).toBe(reached);
    });
});
