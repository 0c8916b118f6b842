import { field, listOf, textField } from "./fields.ts";
import type { Context } from "./host.ts";
import { hidden } from "./messages.ts";
import type { Outcome } from "./outcome.ts";
import type { Shared } from "./process-state.ts";
import { commonFields, giveUp, type Session } from "./session.ts";
import { forModel } from "./tool-calls.ts";

/** OMP hears its agent again this soon after its last word of a compaction; it reports no end of one. Milliseconds. */
const hearsAgainMs = 200;

/** From here on OMP hears nothing of a run that begins. A compaction that fails is not reported: the next message shows its end. */
export function compactionBegan(session: Session): void {
  session.inCompaction = true;
  session.compacting?.addEventListener("abort", () => compactionEnds(session), { once: true });
}

export function compactionEnds(session: Session): undefined {
  setTimeout(() => {
    session.inCompaction = false;
  }, hearsAgainMs).unref();
}

/**
 * A compaction begins a work generation. What its hooks then give belongs to this session and generation: if either changed meanwhile it
 * is discarded, and why is said and kept. `isCurrent` tells whether this is still the session a person is in.
 */
export async function compacted(
  shared: Shared,
  session: Session,
  event: unknown,
  context: Context,
  isCurrent: () => boolean,
): Promise<void> {
  session.generation += 1;
  giveUp(shared, session, { by: "compaction", cause: "the session was compacted" });
  const { generation, compacting: signal } = session;
  const summary = textField(field(event, "compactionEntry"), "summary");
  const sent = shared.core.dispatch("compact", { ...commonFields(session, context), summary });
  const aborted = (): void => shared.core.cancel(sent.id, { by: "interrupt", cause: "the compaction was interrupted" });
  session.open.set(sent.id, "");
  signal?.addEventListener("abort", aborted, { once: true });
  const outcome = await sent.outcome;
  session.open.delete(sent.id);
  signal?.removeEventListener("abort", aborted);
  const why = whyDiscarded(outcome, isCurrent(), generation === session.generation);
  if (why === null) {
    session.restored.push(...forModel(shared, context, outcome));
    return;
  }
  shared.screen.say(context, `the context after the compaction was discarded: ${why}`);
  session.pi.appendEntry?.("tama-discarded-context", { generation, why });
}

/** A run that goes on by itself after a compaction prepares no turn: its requests carry the context until a turn does. */
export function withRestored(session: Session, event: unknown): object | undefined {
  if (session.restored.length === 0) return undefined;
  const message = { role: "custom", ...hidden(session.restored), timestamp: Date.now() };
  return { messages: [...listOf(field(event, "messages")), message] };
}

function whyDiscarded(outcome: Outcome, sameSession: boolean, sameGeneration: boolean): string | null {
  if (outcome.kind === "cancelled") return outcome.cause;
  if (!sameSession) return "the person went to another session";
  return sameGeneration ? null : "the work went on to another generation";
}
