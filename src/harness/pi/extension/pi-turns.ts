import { contentText, field, listOf, textField } from "../../omp/extension/fields.ts";
import { faultText, refusalText } from "../../omp/extension/outcome.ts";
import type { PiContext } from "./pi-host.ts";
import { asked, forTheModel, type PiSession, sessionFields, tell } from "./pi-session.ts";

/** A session begins, goes on or comes after another: its hooks' contexts reach the model with the first prompt. */
export async function activated(session: PiSession, context: PiContext): Promise<void> {
  session.generation += 1;
  const outcome = await asked(session, context, "session_start", sessionFields(session, context));
  session.waiting.push(...forTheModel(session, context, outcome));
}

/** What a person wrote. A refusal drops it, and the person reads why; a message of an extension's is no person's. */
export async function typed(session: PiSession, event: unknown, context: PiContext): Promise<object | undefined> {
  if (field(event, "source") === "extension") return undefined;
  session.generation += 1;
  session.continuing = false;
  const payload = { ...sessionFields(session, context), text: textField(event, "text") };
  const outcome = await asked(session, context, "input", payload);
  if (outcome.kind === "pass") {
    session.waiting.push(...forTheModel(session, context, outcome));
    return undefined;
  }
  tell(context, refusalText(outcome, session.binary));
  return { action: "handled" };
}

/** The contexts that wait stand in a message of ours before the model's next answer. */
export function beforeRun(session: PiSession): object | undefined {
  const message = waitingMessage(session);
  return message === null ? undefined : { message };
}

/** A run that goes on by itself (after a compaction) prepares no prompt: its requests carry what waits. */
export function withWaiting(session: PiSession, event: unknown): object | undefined {
  if (session.waiting.length === 0) return undefined;
  const message = { role: "custom", ...custom(session.waiting), timestamp: Date.now() };
  return { messages: [...listOf(field(event, "messages")), message] };
}

export async function compacted(session: PiSession, event: unknown, context: PiContext): Promise<void> {
  session.generation += 1;
  const summary = textField(field(event, "compactionEntry"), "summary");
  const outcome = await asked(session, context, "compact", { ...sessionFields(session, context), summary });
  session.waiting.push(...forTheModel(session, context, outcome));
}

/**
 * pi's question before a run ends. A refusal sends the model on with its reason; pi itself would go on for ever, the core's releases end it.
 * A fault of ours holds an ending once: nothing the model does could mend it.
 */
export async function beforeEnd(session: PiSession, event: unknown, context: PiContext): Promise<object | undefined> {
  // Another extension goes on; then this is no ending.
  if (field(event, "continue") === true) return undefined;
  const message = lastAnswer(context);
  const outcome = await asked(session, context, "stop", {
    ...sessionFields(session, context),
    answer: contentText(field(message, "content")),
    message: `${session.stamp}.${session.turn}`,
    stopHookActive: session.continuing,
    stopReason: field(message, "stopReason") ?? null,
    errorMessage: field(message, "errorMessage") ?? null,
  });
  if (outcome.kind === "pass") {
    session.continuing = false;
    if (outcome.notes !== null) tell(context, outcome.notes);
    return undefined;
  }
  // The person stopped it.
  if (outcome.kind === "cancelled") return undefined;
  const again = session.continuing;
  if (outcome.kind === "fault" && again) {
    session.continuing = false;
    tell(context, faultText(outcome.cause, session.binary));
    return undefined;
  }
  session.continuing = true;
  const entry = {
    type: "custom_message",
    customType: "tama-ending",
    content: refusalText(outcome, session.binary),
    display: true,
  };
  return { entries: [...listOf(field(event, "entries")), entry], continue: true };
}

function waitingMessage(session: PiSession): object | null {
  return session.waiting.length === 0 ? null : custom(session.waiting.splice(0));
}

function custom(texts: readonly string[]): object {
  return { customType: "tama", content: texts.join("\n\n"), display: false };
}

function lastAnswer(context: PiContext): unknown {
  const messages = listOf(context.sessionManager.getEntries()).map((entry) => field(entry, "message"));
  return messages.findLast((message) => field(message, "role") === "assistant");
}
