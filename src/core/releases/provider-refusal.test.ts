import { expect, test } from "bun:test";
import type { AnswerEntry } from "../../transcript/entry.ts";
import { providerRefusalNote, providerRefusalOf } from "./provider-refusal.ts";

const now = { blockedHookId: "gate-a", reason: "BLOCKED: gate-a: work remains" };
const answer = (stopReason: string | null, errorMessage: string | null): AnswerEntry => ({
  kind: "answer",
  at: 0,
  time: null,
  id: null,
  text: "",
  calls: [],
  message: null,
  stopReason,
  errorMessage,
});

test("only a turn that ended on the provider's refusal of the request is let through", () => {
  const said = '400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long"}}';
  const refusal = providerRefusalOf(answer("error", said), now);
  expect(refusal).toEqual({ errorMessage: said, blockedHookId: "gate-a", refusal: now.reason });
  expect(providerRefusalOf(answer("error", "529 overloaded_error"), now)).toBeNull();
  expect(providerRefusalOf(answer("stop", said), now)).toBeNull();
  expect(providerRefusalOf(answer("error", null), now)).toBeNull();
  expect(providerRefusalOf(null, now)).toBeNull();
  if (refusal === null) throw new Error("no refusal");
  expect(providerRefusalNote(refusal)).toContain("prompt is too long");
});
