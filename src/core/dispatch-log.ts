import { sayOnStderr } from "../base/descriptors.ts";
import { maskedCut, maskSecrets } from "../base/mask.ts";
import type { Refusal } from "../base/verdict.ts";
import { callIdentity, canonicalJson } from "../calls/identity.ts";
import { toolKind } from "../calls/kind.ts";
import { shellLine } from "../calls/shell-line.ts";
import { appendLine } from "../disk/append-line.ts";
import type { Home } from "../disk/home.ts";
import type { HookEvent } from "../words/event.ts";
import type { LogLine } from "../words/records.ts";
import type { Answer } from "../words/wire.ts";
import type { Owner } from "./repeat/call.ts";

/** One dispatch as `tama log` and `tama why` read it. */
export interface LoggedDispatch {
  readonly harness: string;
  readonly owner: Owner;
  readonly dispatch: string;
  readonly event: HookEvent;
  readonly answer: Answer;
  readonly at: string;
  readonly ms: number;
  readonly refusal: Refusal | null;
}

/** Kept afterwards: a log that cannot be written is said on stderr. */
export function logDispatch(home: Home, logged: LoggedDispatch): void {
  const written = appendLine(
    home.sessionLog(logged.owner.session, logged.owner.agentId),
    JSON.stringify(lineOf(logged), masked),
  );
  if (!written.ok) sayOnStderr(`tama: ${written.cause}`);
}

function lineOf(logged: LoggedDispatch): LogLine {
  const { answer, event } = logged;
  const base = {
    at: logged.at,
    dispatch: logged.dispatch,
    event: event.event,
    ...("tool" in event.payload && typeof event.payload.tool === "string" ? { tool: event.payload.tool } : {}),
    ms: logged.ms,
  };
  if (!answer.ok)
    return { ...base, verdict: "cancelled", hooks: [], reason: "error" in answer ? answer.error : answer.reason };
  if (answer.verdict === "pass")
    return { ...base, verdict: "pass", hooks: answer.hooks.map((report) => ({ ...report })) };
  return {
    ...base,
    ...refusedCall(logged.harness, event),
    verdict: answer.infrastructure === true ? "infrastructure" : "refuse",
    hooks: answer.hooks.map((report) => ({ ...report })),
    refusal: answer.refusal,
    blockedHookId: answer.blockedHookId,
    ...(logged.refusal === null ? { reason: answer.reason } : told(logged.refusal)),
  };
}

/** Which call was refused, so that a person can tell it, and let it through by its id. A refused call stands in no other record as it was asked. */
function refusedCall(harness: string, event: HookEvent): { readonly call?: string; readonly asked?: string } {
  if (event.event !== "tool_call") return {};
  const { tool, input, cwd, kind } = event.payload;
  const line = (kind ?? toolKind(harness, tool)) === "shell" ? shellLine(input) : null;
  return {
    call: callIdentity(harness, tool, cwd ?? null, input),
    asked: maskedCut(line ?? canonicalJson(input), askedBytesMax),
  };
}

const askedBytesMax = 4 * 1024;

/** What the reason is made of. The whole answer of a held call stands in failed-calls; here a look at it is enough. */
function told(refusal: Refusal): Refusal {
  const { what, evidence } = refusal;
  return {
    ...refusal,
    what: maskedCut(what, quotedBytesMax),
    ...(evidence === undefined ? {} : { evidence: maskedCut(evidence, quotedBytesMax) }),
  };
}

const quotedBytesMax = 64 * 1024;

function masked(_key: string, value: unknown): unknown {
  return typeof value === "string" ? maskSecrets(value) : value;
}
