import { contentText, type Fields, field, isFields, listOf, textField } from "./fields.ts";
import { type Context, hasWindow } from "./host.ts";
import { faultText, type Outcome } from "./outcome.ts";
import type { Shared } from "./process-state.ts";
import { commonFields, type Session } from "./session.ts";
import { startTurn } from "./turns.ts";
import { within } from "./waiting.ts";

/** Whether the model may write prose, in one work generation of one session. */
export interface TextGate {
  readonly generation: number;
  /** The newest answer; null while there is none. Anything but a pass is no permission. */
  answer: Outcome | null;
  /** The refresh that runs. */
  refreshing: Promise<void> | null;
  /** Another request went out meanwhile: the answer is asked for once more. */
  again: boolean;
}

/** A run that the adapter itself aborted, for the words a model began. */
export interface Cut {
  readonly generation: number;
  readonly reason: string;
}

/**
 * Before a request goes to the model: its changed body, or undefined when it goes unchanged. A pass that is kept for this work generation
 * decides at once, and is asked for anew in the background; without one the request waits a moment for the newest answer.
 */
export async function beforeRequest(
  shared: Shared,
  session: Session,
  event: unknown,
  context: Context,
): Promise<unknown> {
  const payload = field(event, "payload");
  if (!(await isDeclared(shared, session))) {
    session.textGate = null;
    return undefined;
  }
  const api = textField(context.model, "api");
  const requiring = withToolsRequired(api, payload);
  const gate = gateOf(session);
  const refresh = refreshed(shared, session, context, gate, { api, canRequireTools: requiring !== null });
  if (gate.answer?.kind !== "pass") await within(refresh, shared.setting.textAnswerMs);
  return gate.answer?.kind === "pass" ? undefined : (requiring ?? undefined);
}

/**
 * Looks at the first words a model streams. In a window they end the run when the gate did not pass for this generation; a run that
 * nobody watches, and a subagent's, goes on to its ending, where it is held.
 */
export function watchStream(shared: Shared, session: Session, event: unknown, context: Context): void {
  if (session.looked || session.agentId !== null || !hasWindow(context)) return;
  const message = field(event, "message");
  if (session.textGate === null || contentText(field(message, "content")).trim() === "") return;
  session.looked = true;
  const { answer } = gateOf(session);
  if (answer?.kind === "pass" || context.abort === undefined) return;
  const reason = reasonOf(shared, answer);
  session.cut = { generation: session.generation, reason };
  // The transcript shows this abort as the person's own; this entry says whose it was.
  session.pi.appendEntry?.("tama-cut", { by: "tama", generation: session.generation, reason });
  context.abort();
}

/** After a run ended: one that was cut goes on with the gate's reason, once the abort has settled. */
export async function continueAfterCut(shared: Shared, session: Session, context: Context): Promise<void> {
  const { cut } = session;
  if (cut === null) return;
  session.cut = null;
  const isWanted = (): boolean => session.generation === cut.generation;
  const message = { customType: "tama-text-gate", content: cut.reason, display: false };
  const why = await startTurn(session, context, message, isWanted);
  if (why !== null) shared.screen.sayWhole(context, `Tama: the cut answer's continuation did not start a turn: ${why}`);
}

function gateOf(session: Session): TextGate {
  const { generation, textGate } = session;
  if (textGate?.generation === generation) return textGate;
  const made: TextGate = { generation, answer: null, refreshing: null, again: false };
  session.textGate = made;
  return made;
}

/** One refresh at a time; its answer replaces the one before, a pass too, whatever it is. */
function refreshed(shared: Shared, session: Session, context: Context, gate: TextGate, about: Fields): Promise<void> {
  gate.again = gate.refreshing !== null;
  gate.refreshing ??= (async () => {
    do {
      gate.again = false;
      const payload = { ...commonFields(session, context), ...about };
      const sent = shared.core.dispatch("before_provider", payload, (hook, line) =>
        shared.screen.say(context, `${hook}: ${line}`),
      );
      session.open.set(sent.id, "");
      gate.answer = await sent.outcome;
      session.open.delete(sent.id);
    } while (gate.again && session.textGate === gate);
    gate.refreshing = null;
  })();
  return gate.refreshing;
}

/** A gate that is not declared changes nothing. A core that cannot say leaves it as it was. */
async function isDeclared(shared: Shared, session: Session): Promise<boolean> {
  const answer = await within(shared.core.request("hooks/declared"), 2_000);
  if (answer == null) return session.textGate !== null;
  const reached = listOf(field(answer, "declared")).flatMap((hook) => listOf(field(hook, "on")));
  return reached.some((on) => field(on, "event") === "before_provider");
}

function reasonOf(shared: Shared, answer: Exclude<Outcome, { kind: "pass" }> | null): string {
  if (answer?.kind === "refuse") return answer.reason;
  const cause = answer === null ? "it has not answered" : answer.cause;
  return faultText(`the gate on text outside tool calls gave no pass for this work: ${cause}`, shared.setting.binary);
}

const takesRequired = new Set([
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
]);

/** The body with a tool call required; null where the API has no such word (Anthropic Messages), or the request no tools. */
function withToolsRequired(api: string, payload: unknown): Fields | null {
  if (!takesRequired.has(api) || !isFields(payload) || listOf(payload["tools"]).length === 0) return null;
  return { ...payload, tool_choice: "required" };
}
