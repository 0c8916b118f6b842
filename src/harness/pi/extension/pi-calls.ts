import { contentText, type Fields, field, isFields, textField } from "../../omp/extension/fields.ts";
import { type Outcome, refusalText } from "../../omp/extension/outcome.ts";
import type { PiContext } from "./pi-host.ts";
import { asked, forTheModel, type PiSession, sessionFields } from "./pi-session.ts";

/** Asks before a tool runs; what is returned is pi's answer to the event. */
export async function decideCall(session: PiSession, event: unknown, context: PiContext): Promise<object | undefined> {
  const payload: Fields = {
    ...sessionFields(session, context),
    ...callOf(event),
    message: `${session.stamp}.${session.turn}`,
    purposeUnknown: true,
  };
  const outcome = await asked(session, context, "tool_call", payload);
  if (outcome.kind !== "pass") return { block: true, reason: refusalText(outcome, session.binary) };
  session.admitted.set(textField(event, "toolCallId"), { payload, context: outcome.context });
  forTheModel(session, context, outcome);
  return undefined;
}

/** Takes a result; what the answers tell the model is appended to it. */
export async function takeResult(session: PiSession, event: unknown, context: PiContext): Promise<object | undefined> {
  const { content, ...rest } = resultIn(event);
  const admitted = session.admitted.get(textField(event, "toolCallId"));
  const outcome = await settle(session, event, context, { content, ...rest });
  const texts = [...(admitted?.context == null ? [] : [admitted.context]), ...forTheModel(session, context, outcome)];
  if (texts.length === 0 || !Array.isArray(content)) return undefined;
  const structuredContent = field(event, "structuredContent");
  return {
    content: [...content, ...texts.map((text) => ({ type: "text", text }))],
    // pi drops it where only the content is given back.
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
}

/** A call that was let through and ends without a result event was stopped by pi itself; its own words settle it. */
export async function callEnded(session: PiSession, event: unknown, context: PiContext): Promise<void> {
  if (!session.admitted.has(textField(event, "toolCallId"))) return;
  const { isError, structured, ...result } = resultIn(field(event, "result"));
  await settle(session, event, context, {
    ...result,
    structured,
    isError: field(event, "isError") === true || isError,
  });
}

interface Given {
  readonly content: unknown;
  readonly details: unknown;
  readonly structured: unknown;
  readonly isError: boolean;
}

function resultIn(value: unknown): Given {
  return {
    content: field(value, "content"),
    details: field(value, "details"),
    structured: field(value, "structuredContent"),
    isError: field(value, "isError") === true,
  };
}

function settle(session: PiSession, event: unknown, context: PiContext, given: Given): Promise<Outcome> {
  const id = textField(event, "toolCallId");
  const admitted = session.admitted.get(id);
  session.admitted.delete(id);
  const code = field(given.structured, "exit_code");
  const own = isFields(given.details) ? given.details : {};
  const details = typeof code === "number" ? { ...own, exit_code: code } : (given.details ?? null);
  const answer = { isError: given.isError, text: contentText(given.content), details };
  return session.core.dispatch("tool_result", {
    ...sessionFields(session, context),
    ...callOf(event),
    ...admitted?.payload,
    ...answer,
  }).outcome;
}

function callOf(event: unknown): Fields {
  return {
    tool: textField(event, "toolName"),
    call: textField(event, "toolCallId"),
    input: field(event, "input") ?? field(event, "args") ?? {},
  };
}
