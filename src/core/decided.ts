import { sayOnStderr } from "../base/descriptors.ts";
import { newRefusalId } from "../base/ids.ts";
import { printable } from "../base/printable.ts";
import type { Refusal } from "../base/verdict.ts";
import type { HookEvent } from "../words/event.ts";
import type { Answer, CancelledAnswer, RefuseAnswer } from "../words/wire.ts";
import type { Catalog } from "./catalog.ts";
import type { Call, Owner } from "./repeat/call.ts";
import { asShown } from "./repeat/calls.ts";
import type { Check } from "./repeat/gate.ts";
import { repeatRefusal } from "./repeat/refusal.ts";

/** A dispatch's answer with what the log wants to know of it. */
export interface Decided {
  readonly answer: Answer;
  readonly refusal: Refusal | null;
  readonly catalog: Catalog | null;
}

/** The answers that the core gives itself, without any hook. */
export function heldAnswer(
  owner: Owner,
  call: Call,
  held: Extract<Check, { kind: "held" }>,
  catalog: Catalog,
): Decided {
  const { reason, refusal } = repeatRefusal(owner, call.id, held);
  const answer: RefuseAnswer = {
    ok: true,
    verdict: "refuse",
    blockedHookId: "repeat",
    refusal: newRefusalId(),
    reason,
    call: call.id,
    failed: asShown(held.kept),
    hooks: [],
  };
  return { answer, refusal, catalog };
}

/** A fault of the core's own, outside any hook: what is needed to decide cannot be had. */
export function faultOf(blockedHookId: string, cause: string, catalog: Catalog | null = null): Decided {
  const reason = printable(`TAMA_HOOK_INFRASTRUCTURE: ${cause}`);
  sayOnStderr(reason);
  const answer: RefuseAnswer = {
    ok: true,
    verdict: "refuse",
    infrastructure: true,
    blockedHookId,
    refusal: newRefusalId(),
    reason,
    hooks: [],
  };
  return { answer, refusal: null, catalog };
}

/**
 * A stop that was sent back once for a fault before any hook is let through: nothing the session does could mend it, and a harness that asks
 * again after each refusal would never end (contract 3.6 says it of the session record).
 */
export function orLetGo(event: HookEvent, decided: Decided): Decided {
  const { answer } = decided;
  if (event.event !== "stop" || event.payload.stopHookActive !== true || !answer.ok || answer.verdict !== "refuse")
    return decided;
  const notes = `The stop is let through, because it was sent back once and nothing this session does could mend it.\nWhat refused it:\n${answer.reason}`;
  return { ...decided, answer: { ok: true, verdict: "pass", hooks: [], notes } };
}

export function cancelledAnswer(signal: AbortSignal, catalog: Catalog): Decided {
  return { answer: cancelled(signal), refusal: null, catalog };
}

export function cancelled(signal: AbortSignal): CancelledAnswer {
  return { ok: false, cancelled: true, reason: String(signal.reason) };
}

/** Settles once the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
