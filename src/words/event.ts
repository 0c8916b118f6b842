import * as v from "valibot";
import { describeIssue } from "./issue.ts";

/** The events of contract 2, as every harness adapter normalizes to them. */
export const eventNames = [
  "session_start",
  "input",
  "tool_call",
  "tool_result",
  "before_provider",
  "stop",
  "compact",
  "session_end",
] as const;
export type EventName = (typeof eventNames)[number];

const text = v.nullish(v.string());
const flag = v.nullish(v.boolean());
/** A harness numbers its messages or names them; both are compared for equality only. */
const messageKey = v.nullish(v.union([v.string(), v.number()]));

/** What every payload may hold; unknown fields are kept and ignored. */
const common = {
  session: text,
  agentId: text,
  agent: v.nullish(v.picklist(["main", "sub"])),
  cwd: text,
  transcript: text,
  window: flag,
  generation: v.nullish(v.union([v.number(), v.string()])),
};

const call = {
  ...common,
  tool: v.pipe(v.string(), v.nonEmpty()),
  input: v.unknown(),
  call: text,
  message: messageKey,
  kind: v.nullish(v.picklist(["shell", "process", "read", "search", "write", "other"])),
  purpose: text,
  purposeUnknown: flag,
};

/** Only these fields must be present (contract 2, the bold ones). `input` may be any JSON, but must stand there. */
const payloads = {
  session_start: v.looseObject(common),
  input: v.looseObject({ ...common, text: v.string() }),
  tool_call: v.looseObject(call),
  tool_result: v.looseObject({ ...call, isError: v.boolean(), text: v.string(), details: v.optional(v.unknown()) }),
  before_provider: v.looseObject({ ...common, api: text, canRequireTools: flag }),
  stop: v.looseObject({ ...common, answer: v.string(), message: messageKey, stopHookActive: flag }),
  compact: v.looseObject({ ...common, summary: text }),
  session_end: v.looseObject(common),
} as const;

export type Payload<Name extends EventName> = v.InferOutput<(typeof payloads)[Name]>;
export type AnyPayload = Payload<EventName>;
/** One event with its payload; the name tells which fields there are. */
export type HookEvent = { [Name in EventName]: { readonly event: Name; readonly payload: Payload<Name> } }[EventName];

export function isEventName(name: unknown): name is EventName {
  return eventNames.some((known) => known === name);
}

/** The event, or a sentence naming the field that does not fit: `payload.tool: expected a string, got null`. */
export function parseEvent(name: EventName, payload: unknown): HookEvent | string {
  const unfit = unfitPayload(name, payload);
  if (unfit !== null) return unfit;
  const parsed = v.safeParse(payloads[name], payload);
  // The pair of name and payload is right by construction; the compiler cannot follow a table of schemas.
  return parsed.success
    ? ({ event: name, payload: parsed.output } as HookEvent)
    : describeIssue("payload", parsed.issues[0]);
}

function unfitPayload(name: EventName, payload: unknown): string | null {
  if (Array.isArray(payload)) return "payload: expected an object, got a list";
  if (name !== "tool_call" && name !== "tool_result") return null;
  if (typeof payload !== "object" || payload === null || "input" in payload) return null;
  return "payload.input: missing";
}
