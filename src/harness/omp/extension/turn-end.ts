import { type Assessment, assessmentOf, candidateOf, endingPayload } from "./ending.ts";
import { contentText, field, listOf } from "./fields.ts";
import { type Context, hasWindow } from "./host.ts";
import { faultText, type Outcome, refusalText } from "./outcome.ts";
import { openOverlay } from "./overlay.ts";
import type { Shared } from "./process-state.ts";
import type { Session } from "./session.ts";
import { runningHooks } from "./tool-calls.ts";
import { startTurn } from "./turns.ts";
import { holdsWithin, quietMs, within } from "./waiting.ts";

/** OMP's question whether a turn may end; what is returned is its answer. */
export async function endTurn(
  shared: Shared,
  session: Session,
  event: unknown,
  context: Context,
): Promise<object | undefined> {
  const message = field(event, "last_assistant_message");
  const active = field(event, "stop_hook_active") === true;
  const signal = field(event, "signal");
  const begun = performance.now();
  const candidate = await candidateOf(shared, session, context, message);
  if (wasLeft(session, context, message)) {
    shared.screen.say(context, "the person left this answer for another place in the session: nothing was judged");
    return undefined;
  }
  const payload = endingPayload(shared, session, context, message, active);
  const owned = assessmentOf(shared, session, context, { candidate, payload });
  const interrupted = (): void => owned.giveUp({ by: "interrupt", cause: "the run was interrupted" });
  if (signal instanceof AbortSignal) {
    if (signal.aborted) interrupted();
    signal.addEventListener("abort", interrupted, { once: true });
  }
  try {
    const outcome = hasWindow(context)
      ? await inWindow(shared, session, context, owned, begun)
      : await soon(shared, owned);
    if (outcome !== null) {
      session.unfinished = null;
      return answerTo(shared, context, outcome, active);
    }
    return hasWindow(context) ? undefined : await refuseUnfinished(shared, session, context, owned);
  } finally {
    if (signal instanceof AbortSignal) signal.removeEventListener("abort", interrupted);
  }
}

/**
 * Outside a window the assessment begins when OMP reports the final message, as soon as that message stands in the transcript, so that
 * the ending finds the verdicts of hooks that wait for nothing outside.
 */
export async function foreseeEnding(
  shared: Shared,
  session: Session,
  message: unknown,
  context: Context,
): Promise<void> {
  const { turn } = session;
  if (
    session.agentId !== null ||
    !(await holdsWithin(() => isStored(context, message) || session.turn !== turn, 2_000))
  )
    return;
  if (session.turn !== turn) return;
  const candidate = await candidateOf(shared, session, context, message);
  if (session.turn !== turn || session.ending?.candidate.key === candidate.key) return;
  if (wasLeft(session, context, message)) return;
  const active = session.continuing;
  assessmentOf(shared, session, context, {
    candidate,
    payload: endingPayload(shared, session, context, message, active),
  });
}

/** The verdict as soon as the hooks give it, unless one waits for something outside or takes too long for a hook that does not. */
async function soon(shared: Shared, owned: Assessment): Promise<Outcome | null> {
  const left = shared.setting.endingGraceMs - (performance.now() - owned.begun);
  const waits = owned.waitsOutside.then(() => null);
  return owned.settled() ?? (await within(Promise.race([owned.outcome, waits]), left));
}

/** The verdict when it comes within OMP's budget; else null, and what comes later is sent into the session. */
async function inWindow(
  shared: Shared,
  session: Session,
  context: Context,
  owned: Assessment,
  begun: number,
): Promise<Outcome | null> {
  const quick = owned.settled() ?? (await within(owned.outcome, quietMs));
  if (quick !== null) return quick;
  const overlay = openOverlay(context, "tama: Tama is assessing this answer", () =>
    owned.giveUp({ by: "interrupt", cause: "the run was interrupted" }),
  );
  const name = async (): Promise<void> => {
    const hooks = await runningHooks(shared, owned.dispatch());
    const which = hooks.length === 0 ? "" : `: ${hooks.join(", ")}`;
    overlay.show(`tama: Tama is assessing this answer (${owned.dispatch()}${which}, ${elapsed(owned)})`);
  };
  void name();
  const ticks = setInterval(() => void name(), 1_000);
  try {
    const left = shared.setting.answerWithinMs - (performance.now() - begun);
    const outcome = await within(owned.outcome, left);
    if (outcome === null) void whenLate(shared, session, context, owned);
    return outcome;
  } finally {
    clearInterval(ticks);
    overlay.close();
  }
}

/** OMP ended the turn before the verdict: a refusal that comes now starts the next turn, so that a slow assessment holds the end too. */
async function whenLate(shared: Shared, session: Session, context: Context, owned: Assessment): Promise<void> {
  shared.screen.status("tama: the assessment of the last answer goes on");
  const outcome = await owned.outcome;
  if (outcome.kind === "pass") return shared.screen.note(context, outcome.notes);
  // Only a compaction leaves an ending that nothing else holds; after everything else the turn is another message's.
  if (outcome.kind === "cancelled" && outcome.by !== "compaction") return;
  const { generation } = session;
  const content = endingText(shared, outcome);
  const isWanted = (): boolean => session.generation === generation && session.ending === owned;
  const why = await startTurn(session, context, { customType: "tama-ending", content, display: true }, isWanted);
  if (why !== null) shared.screen.say(context, `the refusal of the last answer did not start a turn: ${why}`);
}

function answerTo(shared: Shared, context: Context, outcome: Outcome, active: boolean): object | undefined {
  if (outcome.kind === "pass") return shared.screen.note(context, outcome.notes);
  // The turn belongs to the person's message, or to the interrupt.
  if (outcome.kind === "cancelled" && (outcome.by === "input" || outcome.by === "interrupt")) return undefined;
  // The newer answer's ending holds the turn; a refusal again would make the next newer answer, and so for ever.
  if (outcome.kind === "cancelled" && outcome.by === "candidate" && active) return undefined;
  // A core that is broken refuses an ending once; a session must not be trapped by what it cannot mend.
  if (outcome.kind === "fault" && active)
    return shared.screen.note(context, faultText(outcome.cause, shared.setting.binary));
  return { decision: "block", reason: endingText(shared, outcome) };
}

function endingText(shared: Shared, outcome: Exclude<Outcome, { kind: "pass" }>): string {
  if (outcome.kind !== "cancelled") return refusalText(outcome, shared.setting.binary);
  return `TAMA_HOOK_INFRASTRUCTURE: tama: the assessment of this answer ended before its hooks answered: ${outcome.cause}. Nothing was judged.`;
}

/**
 * Outside a window nothing is waited for: what is not decided is refused, naming what it waits for. The same refusal again, when no call
 * ran and nobody wrote since, would leave the session no step; then the ending is let through with that said (the gate cycle of the core,
 * which never hears of a refusal that its hooks did not give).
 */
async function refuseUnfinished(
  shared: Shared,
  session: Session,
  context: Context,
  owned: Assessment,
): Promise<object | undefined> {
  const found = await runningHooks(shared, owned.dispatch());
  const names = found.length === 0 ? ["its stop hooks"] : found;
  const before = session.unfinished;
  session.unfinished = names;
  const which = `${names.join(", ")} did not answer within ${elapsed(owned)}`;
  if (before === null || before[0] !== names[0]) {
    const reason = `TAMA_HOOK_INFRASTRUCTURE: tama: the assessment of this answer is not finished: ${which}. Nothing was judged.`;
    return { decision: "block", reason };
  }
  session.unfinished = null;
  owned.giveUp({ by: "run", cause: "the gate cycle let the ending through" });
  const notes = `TAMA GATE CYCLE: the gates left this session no step: the ending was refused because ${before.join(", ")} had not answered, the session only answered again, and ${which} again. Nothing was judged.`;
  session.pi.appendEntry?.("tama-gate-cycle", { notes });
  return shared.screen.note(context, notes);
}

function elapsed(owned: Assessment): string {
  return `${((performance.now() - owned.begun) / 1000).toFixed(1)} s`;
}

/**
 * The person went to another place in the tree since, and the message stands on the branch that was left: OMP asks about it all the same,
 * and a refusal would start a turn where the person is now.
 */
function wasLeft(session: Session, { sessionManager }: Context, message: unknown): boolean {
  if (!session.moved) return false;
  const here = sessionManager.getBranch?.();
  const holds = (entries: unknown): boolean => listOf(entries).some((entry) => isOf(entry, message));
  return Array.isArray(here) && !holds(here) && holds(sessionManager.getEntries?.());
}

function isStored(context: Context, message: unknown): boolean {
  const entries = listOf(context.sessionManager.getEntries?.());
  return isOf(
    entries.findLast((entry) => field(entry, "type") === "message"),
    message,
  );
}

function isOf(entry: unknown, message: unknown): boolean {
  const stored = field(entry, "message");
  const same = ["role", "timestamp", "stopReason"].every((name) => field(stored, name) === field(message, name));
  return same && contentText(field(stored, "content")) === contentText(field(message, "content"));
}
