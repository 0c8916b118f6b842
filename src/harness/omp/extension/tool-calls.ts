import type { Sent } from "./core-link.ts";
import { contentText, type Fields, field, isFields, listOf, textField } from "./fields.ts";
import { type Context, hasWindow } from "./host.ts";
import { type Outcome, refusalText } from "./outcome.ts";
import { openOverlay } from "./overlay.ts";
import { allowance, canWaitLong } from "./own-settings.ts";
import type { Shared } from "./process-state.ts";
import { commonFields, type Session } from "./session.ts";
import { quietMs, within } from "./waiting.ts";

/** Asks before a tool runs; what is returned is OMP's answer to the event. */
export async function decideCall(
  shared: Shared,
  session: Session,
  event: unknown,
  context: Context,
): Promise<object | undefined> {
  const call = callOf(event);
  const message = `${shared.stamp}.${session.turn}`;
  const payload = { ...commonFields(session, context), ...call, message, ...purposeOf(session.streamed, call.call) };
  const outcome = await decided(shared, session, context, { payload, key: keyOf(call), tool: call.tool });
  if (outcome.kind !== "pass") return { block: true, reason: refusalText(outcome, shared.setting.binary) };
  session.admitted.set(keyOf(call), { payload, context: outcome.context });
  shared.screen.note(context, outcome.notes);
  return allowance(context, event);
}

/** Takes a result; what the answers tell the model is appended to it. */
export async function takeResult(
  shared: Shared,
  session: Session,
  event: unknown,
  context: Context,
): Promise<object | undefined> {
  const given = { content: field(event, "content"), details: field(event, "details") };
  const asked = session.admitted.get(keyOf(callOf(event)));
  const sent = settleCall(shared, session, context, event, given);
  const outcome = await within(sent.outcome, shared.setting.answerWithinMs);
  const texts = [
    ...(asked?.context == null ? [] : [asked.context]),
    ...(outcome === null ? [] : forModel(shared, context, outcome)),
  ];
  if (texts.length === 0 || !Array.isArray(given.content)) return undefined;
  return { content: [...given.content, ...texts.map((text) => ({ type: "text", text }))] };
}

/** A call that was let through and ends without a result event was stopped by OMP itself; its own words settle it. */
export function callEnded(shared: Shared, session: Session, event: unknown, context: Context): void {
  const key = keyOf(callOf(event));
  const reason = { by: "run", cause: "OMP ended the call before it was decided" } as const;
  for (const [id, decides] of session.open) if (decides === key) shared.core.cancel(id, reason);
  if (!session.admitted.has(key)) return;
  const result = field(event, "result");
  const given = { content: field(result, "content"), details: field(result, "details") };
  void settleCall(shared, session, context, event, given);
}

/** What an answer says to the model, after telling the person what is for the person. */
export function forModel(shared: Shared, context: Context, outcome: Outcome): string[] {
  if (outcome.kind === "refuse") return [outcome.reason];
  if (outcome.kind === "fault") shared.screen.say(context, outcome.cause);
  if (outcome.kind !== "pass") return [];
  shared.screen.note(context, outcome.notes);
  return outcome.context === null ? [] : [outcome.context];
}

function settleCall(
  shared: Shared,
  session: Session,
  context: Context,
  event: unknown,
  given: { content: unknown; details: unknown },
): Sent {
  const call = callOf(event);
  const asked = session.admitted.get(keyOf(call));
  session.admitted.delete(keyOf(call));
  const isError = field(event, "isError") === true;
  // An error without details never ran; what ran is a step, so an ending refused before is another one now.
  if (!isError || isFields(given.details)) session.unfinished = null;
  const answer = { isError, text: contentText(given.content), details: given.details ?? null };
  const payload = { ...commonFields(session, context), ...call, ...asked?.payload, ...answer };
  return shared.core.dispatch("tool_result", payload);
}

/** Asks the core. In a window it waits as long as the hooks need, elsewhere as long as OMP lets it. */
async function decided(
  shared: Shared,
  session: Session,
  context: Context,
  asked: { payload: Fields; key: string; tool: string },
): Promise<Outcome> {
  shared.screen.begin();
  const sent = shared.core.dispatch("tool_call", asked.payload, (hook, line) =>
    shared.screen.say(context, `${hook}: ${line}`),
  );
  session.open.set(sent.id, asked.key);
  try {
    const quick = await within(sent.outcome, quietMs);
    if (quick !== null) return quick;
    const line = `tama: the gates of this ${asked.tool} call decide`;
    if (hasWindow(context)) return await underOverlay(shared, context, sent, line);
    // A subagent has no window of its own; the person's has a line for it.
    shared.screen.status(line);
    return canWaitLong(session.pi) ? await sent.outcome : await beforeTheClock(shared, sent, asked.tool);
  } finally {
    session.open.delete(sent.id);
    shared.screen.end(context);
  }
}

async function underOverlay(shared: Shared, context: Context, sent: Sent, line: string): Promise<Outcome> {
  const overlay = openOverlay(context, `${line}; Esc gives it up`, () =>
    shared.core.cancel(sent.id, { by: "interrupt", cause: "the run was interrupted" }),
  );
  try {
    return await sent.outcome;
  } finally {
    overlay.close();
  }
}

async function beforeTheClock(shared: Shared, sent: Sent, tool: string): Promise<Outcome> {
  const limit = shared.setting.answerWithinMs;
  const inTime = await within(sent.outcome, limit - quietMs);
  if (inTime !== null) return inTime;
  const names = await runningHooks(shared, sent.id);
  const who =
    names.length === 0
      ? `the hooks of this ${tool} call have not answered`
      : `${names.join(", ")} did not answer for this ${tool} call`;
  const cause = `${who} after ${Math.round(limit / 1000)} s, and OMP waits 30 s at most`;
  shared.core.cancel(sent.id, { by: "clock", cause });
  return { kind: "late", cause };
}

/** The hooks of a dispatch that still run; none where the core cannot say so within half a second. */
export async function runningHooks(shared: Shared, dispatch: string): Promise<string[]> {
  const answer = await within(shared.core.request("hooks/running"), 500);
  const own = listOf(field(answer, "hooks")).filter((hook) => field(hook, "dispatch") === dispatch);
  return own.map((hook) => String(field(hook, "hook")));
}

/** The call an event is about. `i` is the model's label of it and no argument. */
function callOf(event: unknown): { readonly tool: string; readonly call: string; readonly input: unknown } {
  const given = field(event, "input") ?? field(event, "args") ?? {};
  const { i: _label, ...input } = isFields(given) ? given : { i: null };
  return {
    tool: textField(event, "toolName"),
    call: textField(event, "toolCallId"),
    input: isFields(given) ? input : given,
  };
}

/** Nested calls may share the provider's id, but not the tool. */
function keyOf(call: { readonly tool: string; readonly call: string }): string {
  return JSON.stringify([call.call, call.tool]);
}

function purposeOf(streamed: unknown, call: string): Fields {
  const block = listOf(field(streamed, "content")).find((one) => field(one, "id") === call);
  const purpose = field(field(block, "arguments"), "i") ?? field(block, "intent");
  return typeof purpose === "string" ? { purpose } : { purposeUnknown: true };
}
