import * as v from "valibot";
import { eventNames, type HookEvent, isEventName, parseEvent } from "./event.ts";
import { describeIssue } from "./issue.ts";
import { tableOf } from "./table.ts";

/** What the core's stdin may hold (contract 2). A line that is none of these is answered with why, and the core goes on. */
export type Line =
  | { readonly op: "dispatch"; readonly id: string; readonly event: HookEvent }
  | { readonly op: "cancel"; readonly id: string; readonly dispatchId: string }
  | {
      readonly op: "request";
      readonly id: string;
      readonly operation: string;
      readonly body: Readonly<Record<string, unknown>>;
    };

export interface BadLine {
  readonly op: "bad";
  readonly id: string | null;
  readonly cause: string;
}

const nonEmpty = v.pipe(v.string(), v.nonEmpty());
const withOp = v.looseObject({ id: nonEmpty, op: v.string() });
const dispatchLine = v.looseObject({ id: nonEmpty, event: v.unknown(), payload: v.optional(v.unknown()) });
const cancelLine = v.looseObject({ id: nonEmpty, dispatchId: nonEmpty });
const requestLine = v.looseObject({
  id: nonEmpty,
  operation: nonEmpty,
  body: v.optional(tableOf(v.unknown()), {}),
});

export function parseLine(line: string): Line | BadLine {
  const value = parseObject(line);
  if (typeof value === "string") return { op: "bad", id: null, cause: value };
  const id = typeof value["id"] === "string" && value["id"] !== "" ? value["id"] : null;
  const bad = (cause: string): BadLine => ({ op: "bad", id, cause });
  const head = v.safeParse(withOp, value);
  if (!head.success) return bad(describeIssue("line", head.issues[0]));
  switch (head.output.op) {
    case "dispatch":
      return parseDispatch(value, bad);
    case "cancel": {
      const parsed = v.safeParse(cancelLine, value);
      return parsed.success
        ? { op: "cancel", id: parsed.output.id, dispatchId: parsed.output.dispatchId }
        : bad(describeIssue("line", parsed.issues[0]));
    }
    case "request": {
      const parsed = v.safeParse(requestLine, value);
      if (!parsed.success) return bad(describeIssue("line", parsed.issues[0]));
      return { op: "request", id: parsed.output.id, operation: parsed.output.operation, body: parsed.output.body };
    }
    default:
      return bad(`unknown op ${JSON.stringify(head.output.op)}; there are dispatch, cancel and request`);
  }
}

function parseDispatch(value: Record<string, unknown>, bad: (cause: string) => BadLine): Line | BadLine {
  const parsed = v.safeParse(dispatchLine, value);
  if (!parsed.success) return bad(describeIssue("line", parsed.issues[0]));
  const { id, event, payload } = parsed.output;
  if (!isEventName(event)) return bad(`unknown event ${JSON.stringify(event)}; there are ${eventNames.join(", ")}`);
  const taken = parseEvent(event, payload);
  return typeof taken === "string" ? bad(taken) : { op: "dispatch", id, event: taken };
}

function parseObject(line: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return "not a JSON object";
  } catch (thrown) {
    return `not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** One hook's part of an answer: its verdict and how long it took. */
export interface HookReport {
  readonly hook: string;
  readonly verdict: "pass" | "refuse" | "infrastructure";
  readonly ms: number;
}

/** An activation's answer (contract 2, session_start). */
export interface Activation {
  readonly taskLedger: "available" | "unavailable" | "none";
  readonly completionAllowed: boolean;
  readonly pendingTasks: readonly string[];
}

export type Answer = PassAnswer | RefuseAnswer | CancelledAnswer | ErrorAnswer;

export interface PassAnswer {
  readonly ok: true;
  readonly verdict: "pass";
  readonly hooks: readonly HookReport[];
  readonly context?: string;
  readonly notes?: string;
  readonly activation?: Activation;
  /** A stop let through by a release of the core (contract 3.6); its text stands in `notes`. */
  readonly cycle?: {
    readonly blockedHookId: string;
    readonly refusal: string;
    readonly calls: readonly { readonly call: string; readonly said: string }[];
  };
  readonly providerRefusal?: {
    readonly errorMessage: string;
    readonly blockedHookId: string;
    readonly refusal: string;
  };
}

export interface RefuseAnswer {
  readonly ok: true;
  readonly verdict: "refuse";
  readonly infrastructure?: true;
  readonly blockedHookId: string;
  readonly refusal: string;
  readonly reason: string;
  readonly call?: string;
  readonly failed?: unknown;
  readonly hooks: readonly HookReport[];
}

export interface CancelledAnswer {
  readonly ok: false;
  readonly cancelled: true;
  readonly reason: string;
}

export interface ErrorAnswer {
  readonly ok: false;
  readonly error: string;
}
