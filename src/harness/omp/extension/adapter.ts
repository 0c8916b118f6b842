import { compacted, compactionBegan, compactionEnds, withRestored } from "./compaction.ts";
import { CoreLink } from "./core-link.ts";
import { causeOf, field, textField } from "./fields.ts";
import { type Context, type Host, hasWindow, type Setting } from "./host.ts";
import { beforeTurn, messageBegan, typed } from "./messages.ts";
import { faultText } from "./outcome.ts";
import { liftTheClock, printsAndEnds, stayInTheForeground } from "./own-settings.ts";
import type { Shared } from "./process-state.ts";
import { Screen } from "./screen.ts";
import { commonFields, giveUp, type Session, Sessions } from "./session.ts";
import { beforeRequest, continueAfterCut, watchStream } from "./text-gate.ts";
import { callEnded, decideCall, takeResult } from "./tool-calls.ts";
import { endTurn, foreseeEnding } from "./turn-end.ts";
import { within } from "./waiting.ts";

const shutdownMs = 1_200;
const compactionMs = 2_000;

type Handle = (session: Session, event: unknown, context: Context) => unknown;
type On = (name: string, handle: Handle, onBug?: (cause: string) => unknown) => void;

/** All OMP sessions of this process in front of one core. */
export class Adapter {
  readonly #shared: Shared;
  readonly #sessions = new Sessions();
  readonly #seen = new WeakSet<object>();
  #over = false;

  constructor(setting: Setting) {
    const screen = new Screen();
    const core = new CoreLink(setting.binary, (line) => screen.say(screen.window, line));
    this.#shared = { core, screen, setting, stamp: `${process.pid}-${Date.now().toString(36)}` };
  }

  get core(): CoreLink {
    return this.#shared.core;
  }

  attach(pi: Host): void {
    const on: On = (name, handle, onBug = () => undefined) =>
      pi.on(name, async (event, context) => {
        try {
          if (this.#isCopy(name, event)) return undefined;
          if (hasWindow(context)) this.#shared.screen.window = context;
          return await handle(this.#sessions.of(pi, context), event, context);
        } catch (thrown) {
          return onBug(`the adapter failed: ${causeOf(thrown)}`);
        }
      });
    this.#onMessages(on);
    this.#onCalls(on);
    this.#onEndings(on);
  }

  #onMessages(on: On): void {
    const shared = this.#shared;
    // A branch makes another session, a place in the tree another conversation of the same one; OMP aborts nothing for either.
    for (const name of ["session_start", "session_switch", "session_branch", "session_tree"])
      on(name, (session, _event, context) => this.#activate(session, context));
    on("input", (session, event, context) => typed(shared, session, context, textField(event, "text")));
    on("before_agent_start", (session, event, context) =>
      beforeTurn(shared, session, context, textField(event, "prompt")),
    );
    on("agent_start", (session) => {
      session.runs += 1;
      session.continuing = false;
      session.asked = false;
      session.continues = false;
    });
    on("turn_start", (session) => {
      session.turn += 1;
      session.moved = false;
    });
    on("message_start", (session, event, context) => messageBegan(shared, session, context, field(event, "message")));
    on("message_update", (session, event, context) => {
      session.streamed = field(event, "message");
      watchStream(shared, session, event, context);
    });
    on("context", (session, event) => withRestored(session, event));
    on("before_provider_request", (session, event, context) => beforeRequest(shared, session, event, context));
    on("session_before_compact", (session, event) => {
      const signal = field(event, "signal");
      session.compacting = signal instanceof AbortSignal ? signal : null;
      compactionBegan(session);
    });
    on("session_compact", (session, event, context) => {
      const isCurrent = (): boolean => session.agentId !== null || this.#sessions.main === session;
      // A run that goes on after its compaction should find the context; but a compaction is never held up for it.
      return within(quietly(compacted(shared, session, event, context, isCurrent)), compactionMs).then(() =>
        compactionEnds(session),
      );
    });
  }

  #onCalls(on: On): void {
    const shared = this.#shared;
    on(
      "tool_call",
      (session, event, context) => decideCall(shared, session, event, context),
      (cause) => ({ block: true, reason: faultText(cause, shared.setting.binary) }),
    );
    on("tool_result", (session, event, context) => {
      session.ending?.giveUp({ by: "tool", cause: "a tool returned its result" });
      return this.#mayStartCore() ? takeResult(shared, session, event, context) : undefined;
    });
    on("tool_execution_end", (session, event, context) => {
      session.ending?.giveUp({ by: "tool", cause: "a tool returned its result" });
      if (this.#mayStartCore()) callEnded(shared, session, event, context);
    });
  }

  #onEndings(on: On): void {
    const shared = this.#shared;
    on("message_end", (session, event, context) => {
      const message = field(event, "message");
      const isLast = field(message, "role") === "assistant" && field(message, "stopReason") === "stop";
      if (isLast && !hasWindow(context)) void quietly(foreseeEnding(shared, session, message, context));
    });
    on(
      "session_stop",
      (session, event, context) => {
        session.asked = true;
        return endTurn(shared, session, event, context);
      },
      (cause) => ({ decision: "block", reason: faultText(cause, shared.setting.binary) }),
    );
    on("agent_end", (session, event, context) => {
      session.continues = field(event, "willContinue") === true;
      this.#runEnded(session, context);
    });
    on("session_shutdown", (session, _event, context) => this.#shutdown(session, context));
  }

  /** The same event reaches every copy as the same object; a prompt or an input is made anew for each and told apart by its text. */
  #isCopy(name: string, event: unknown): boolean {
    if (name === "input" || name === "before_agent_start" || typeof event !== "object" || event === null) return false;
    if (this.#seen.has(event)) return true;
    this.#seen.add(event);
    return false;
  }

  #activate(session: Session, context: Context): void {
    if (session.agentId !== null) return;
    const shared = this.#shared;
    liftTheClock(session.pi);
    if (printsAndEnds(context)) stayInTheForeground(session.pi);
    const left = this.#sessions.main;
    if (left !== null && left !== session) {
      giveUp(shared, left, { by: "activation", cause: "the person went to another session" });
      void shared.core.dispatch("session_end", { ...commonFields(left, context), transcript: null });
    }
    giveUp(shared, session, { by: "activation", cause: "the session was activated again" });
    shared.screen.clear(context);
    this.#sessions.main = session;
    this.#over = false;
    session.generation += 1;
    session.moved = true;
    session.unfinished = null;
    session.incoming.push(shared.core.dispatch("session_start", commonFields(session, context)).outcome);
  }

  /** A call that is still being decided when its run ends was interrupted: outside a window nothing else says so. */
  #runEnded(session: Session, context: Context): void {
    const reason = { by: "interrupt", cause: "the run ended" } as const;
    for (const [id, decides] of session.open) if (decides !== "") this.#shared.core.cancel(id, reason);
    if (session.continues) return;
    if (!hasWindow(context)) session.ending?.giveUp(reason);
    void quietly(continueAfterCut(this.#shared, session, context));
  }

  async #shutdown(session: Session, context: Context): Promise<void> {
    giveUp(this.#shared, session, { by: "shutdown", cause: "the session shut down" });
    if (session.agentId !== null) return;
    this.#over = true;
    if (printsAndEnds(context) && session.continues && !session.asked)
      this.#shared.screen.say(context, "this ending was not gated: OMP ended while a job still ran in the background");
    if (this.core.pid === null) return;
    await within(this.core.dispatch("session_end", commonFields(session, context)).outcome, shutdownMs);
    this.core.end();
  }

  /** A result that comes while OMP shuts down must not start a core that nobody ends; the transcript holds it. */
  #mayStartCore(): boolean {
    return !this.#over || this.core.pid !== null;
  }
}

/** An error that nobody awaits would end OMP; what is done apart says itself what went wrong. */
function quietly(work: Promise<void>): Promise<undefined> {
  return work.then(
    () => undefined,
    () => undefined,
  );
}
