import { field } from "./fields.ts";
import { type Context, hasWindow } from "./host.ts";
import type { Outcome } from "./outcome.ts";
import type { Shared } from "./process-state.ts";
import { commonFields, giveUp, type Session } from "./session.ts";
import { forModel } from "./tool-calls.ts";
import { within } from "./waiting.ts";

/** In a window OMP reports what a person typed, commands too, and again for each extension. */
export function typed(shared: Shared, session: Session, context: Context, text: string): void {
  session.command = text.startsWith("/");
  if (session.command || session.typed === text) return;
  session.typed = text;
  setTimeout(() => {
    session.typed = null;
  }, 0);
  personWrote(shared, session, context, text);
}

/** Outside a window OMP reports a person's message only here, where it also reports what it tells the model by itself. */
export async function beforeTurn(
  shared: Shared,
  session: Session,
  context: Context,
  prompt: string,
): Promise<object | undefined> {
  const isMessage = session.agentId === null && (!hasWindow(context) || session.command);
  if (isMessage && session.prompted !== prompt) {
    if (session.continues) session.doubtful = prompt;
    else personWrote(shared, session, context, prompt);
  }
  session.prompted = prompt;
  session.command = false;
  const asked = session.incoming;
  session.incoming = [];
  const outcomes = await Promise.all(asked.map((outcome) => within(outcome, shared.setting.answerWithinMs)));
  const said = outcomes.flatMap((outcome: Outcome | null) =>
    outcome === null ? [] : forModel(shared, context, outcome),
  );
  const texts = [...session.restored.splice(0), ...said];
  return texts.length === 0 ? undefined : { message: hidden(texts) };
}

/** What a message that begins says about whose the prompt before it was. */
export function messageBegan(shared: Shared, session: Session, context: Context, message: unknown): void {
  session.inCompaction = false;
  const role = field(message, "role");
  if (role === "toolResult") return;
  if (role === "user" && field(message, "attribution") === "user" && session.doubtful !== null) {
    personWrote(shared, session, context, session.doubtful);
    session.doubtful = null;
  }
  session.prompted = null;
  if (field(message, "customType") === "session-stop-continuation") session.continuing = true;
  if (role !== "assistant") return;
  session.doubtful = null;
  session.streamed = message;
  session.looked = false;
}

/** A message of ours that the model reads and the person does not see. */
export function hidden(texts: readonly string[]): object {
  return { customType: "tama", content: texts.join("\n\n"), display: false, attribution: "agent" };
}

function personWrote(shared: Shared, session: Session, context: Context, text: string): void {
  session.generation += 1;
  session.unfinished = null;
  giveUp(shared, session, { by: "input", cause: "a new message of the person came" });
  shared.screen.clear(context);
  session.incoming.push(shared.core.dispatch("input", { ...commonFields(session, context), text }).outcome);
}
