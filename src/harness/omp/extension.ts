// Tama's adapter for OMP. `tama install omp` writes this file into OMP's extensions folder, with the two constants below filled in.
//
// Long because: it is loaded by OMP into OMP's own process, so it can import nothing of Tama and must stay one file.
//
// How it works. One core (`tama run-hook omp --serve`) serves this whole OMP process, its in-process subagents too; it is started by
// the first event and again by the next event after it died. Each OMP event becomes one dispatch line, each answer line settles one
// dispatch. Whatever goes wrong settles it as well, as a fault: the promises here never reject, because an error that nobody awaits
// ends OMP. OMP refuses a tool call whose handler throws or overruns 30 s, and lets everything else pass then; so an answer that is
// late is refused here, before that clock. Loaded twice (a link beside the file) it acts once: the first copy serves all.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { basename, dirname } from "node:path";

const installed = { binary: "@tama-binary@", release: "@tama-release@" };

/** OMP gives a handler 30 s; the answer must be there before. */
const answerWithinMs = 28_000;
/** A verdict that comes faster than this shows nothing. */
const quietMs = 250;
const shutdownMs = 1_200;
const lineBytesMax = 64 * 1024 * 1024;

/** The parts of OMP's extension interface that are used here. */
export interface Host {
  on(event: string, handler: (event: unknown, context: Context) => unknown): void;
  getActiveTools?(): unknown;
}

export interface Context {
  readonly mode: string;
  readonly cwd: string;
  readonly ui: {
    setStatus(key: string, text: string | undefined): void;
    notify(text: string, kind: string): void;
    custom(
      factory: (tui: unknown, theme: unknown, keys: unknown, done: (value: unknown) => void) => object,
      options: object,
    ): Promise<unknown>;
  };
  readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined; getHeader?(): unknown };
}

type Outcome =
  | { readonly kind: "pass"; readonly context: string | null; readonly notes: string | null }
  | { readonly kind: "refuse"; readonly reason: string }
  /** Nothing was judged: the core is missing, died, or does not speak the protocol. */
  | { readonly kind: "fault"; readonly cause: string }
  | { readonly kind: "cancelled"; readonly cause: string }
  /** OMP's clock runs out before the hooks are done. */
  | { readonly kind: "late"; readonly cause: string };

type Heard = (hook: string, line: string) => void;
type Fields = Readonly<Record<string, unknown>>;

// ---------------------------------------------------------------------------------------------- the core

interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  ready: boolean;
  /** The end of what was sent so far: each line waits until the pipe took the one before. */
  sent: Promise<void>;
  parts: Buffer[];
  held: number;
  lastError: string;
}

/** The core's process and the dispatches it still owes an answer. Every promise given out resolves, whatever happens. */
export class CoreLink {
  readonly #binary: string;
  readonly #say: (line: string) => void;
  readonly #waiting = new Map<string, { readonly settle: (answer: Fields | Outcome) => void; readonly heard: Heard }>();
  #running: Running | null = null;
  #next = 1;

  constructor(binary: string, say: (line: string) => void) {
    this.#binary = binary;
    this.#say = say;
  }

  get pid(): number | null {
    return this.#running?.process.pid ?? null;
  }

  dispatch(
    event: string,
    payload: Fields,
    heard: Heard = () => {},
  ): { readonly id: string; readonly outcome: Promise<Outcome> } {
    const id = `e${this.#next++}`;
    const answer = this.#ask(id, { id, op: "dispatch", event, payload }, heard);
    return { id, outcome: answer.then(outcomeOf) };
  }

  async request(operation: string): Promise<unknown> {
    const id = `r${this.#next++}`;
    return field(await this.#ask(id, { id, op: "request", operation, body: {} }, () => {}), "answer");
  }

  /** Gives a dispatch up: its promise resolves at once, the core ends its hooks. Nothing happens when it is settled already. */
  cancel(id: string, cause: string): void {
    if (!this.#waiting.has(id)) return;
    this.#settle(id, { kind: "cancelled", cause });
    if (this.#running !== null) this.#send(this.#running, { id: `c${this.#next++}`, op: "cancel", dispatchId: id });
  }

  /** Lets the core go: it ends on the end of its input, and every hook with it. Whoever asks next gets a new one. */
  end(): void {
    const running = this.#running;
    if (running === null) return;
    this.#forget("the session shut down");
    running.sent = running.sent.then(() => void running.process.stdin.end()).catch(() => {});
  }

  #ask(id: string, line: Fields, heard: Heard): Promise<Fields | Outcome> {
    return new Promise((settle) => {
      this.#waiting.set(id, { settle, heard });
      try {
        this.#running ??= this.#start();
        this.#send(this.#running, line);
      } catch (thrown) {
        this.#settle(id, { kind: "fault", cause: `cannot start ${this.#binary}: ${causeOf(thrown)}` });
      }
    });
  }

  #start(): Running {
    const child = spawn(this.#binary, ["run-hook", "omp", "--serve"], {
      stdio: ["pipe", "pipe", "pipe"],
      env: scrubbed(process.env),
    });
    const running: Running = {
      process: child,
      ready: false,
      sent: Promise.resolve(),
      parts: [],
      held: 0,
      lastError: "",
    };
    const gone = (): void => this.#fail(running, howItEnded(child));
    let signs = 0;
    // The last answers may still be in the pipe when the process is gone, and the other way round.
    const ending = (): void => void (++signs === 2 ? gone() : setTimeout(gone, 200));
    child.on("error", (error) => this.#fail(running, `cannot run ${this.#binary}: ${causeOf(error)}`));
    child.on("exit", ending);
    child.stdout.on("end", ending);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.stdin.on("close", () => void setTimeout(gone, 200));
    child.stdout.on("data", (chunk: Buffer) => this.#take(running, chunk));
    let unfinished = "";
    child.stderr.on("data", (chunk: Buffer) => {
      const lines = (unfinished + chunk.toString()).slice(-65536).split("\n");
      unfinished = lines.pop() ?? "";
      for (const line of lines) {
        if (line.trim() !== "") running.lastError = line.trim();
        this.#say(line);
      }
    });
    return running;
  }

  #send(running: Running, line: Fields): void {
    const text = `${JSON.stringify(line)}\n`;
    running.sent = running.sent
      .then(() => new Promise<void>((taken) => void running.process.stdin.write(text, () => taken())))
      .catch(() => {});
  }

  /** Cuts at byte 0x0A only: JSON may hold other line separators. */
  #take(running: Running, chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...running.parts, chunk.subarray(from, at)]).toString();
      running.parts = [];
      running.held = 0;
      from = at + 1;
      if (this.#running === running) this.#hear(running, line);
    }
    running.parts.push(chunk.subarray(from));
    running.held += chunk.length - from;
    if (running.held > lineBytesMax) this.#fail(running, "the core wrote a line without an end");
  }

  #hear(running: Running, line: string): void {
    const value = parsed(line);
    const op = field(value, "op");
    const id = field(value, "id");
    if (!running.ready) {
      running.ready = op === "ready" && field(value, "protocol") === 1;
      if (!running.ready)
        this.#fail(running, `${this.#binary} is no core of protocol 1; it said: ${line.slice(0, 200)}`);
    } else if (op === "progress") {
      this.#waiting
        .get(String(field(value, "dispatchId")))
        ?.heard(String(field(value, "hook")), String(field(value, "line")));
    } else if (typeof id === "string" && isFields(value)) {
      this.#settle(id, value);
    } else {
      this.#fail(running, `the core wrote what answers nothing: ${line.slice(0, 200)}`);
    }
  }

  #settle(id: string, answer: Fields | Outcome): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle(answer);
  }

  #fail(running: Running, cause: string): void {
    if (this.#running !== running) return;
    running.process.kill("SIGKILL");
    this.#forget(running.lastError === "" ? cause : `${cause}; it last said: ${running.lastError}`);
  }

  #forget(cause: string): void {
    this.#running = null;
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { kind: "fault", cause });
  }
}

function howItEnded(child: ChildProcessWithoutNullStreams): string {
  if (child.signalCode !== null) return `the core was ended by ${child.signalCode} before it answered`;
  return `the core ended before it answered (exit code ${child.exitCode ?? "unknown"})`;
}

/** Only what is plainly a pass is one. */
function outcomeOf(answer: Fields | Outcome): Outcome {
  if (isOutcome(answer)) return answer;
  const { verdict, reason, context, notes, error } = answer as Fields &
    Record<"verdict" | "reason" | "context" | "notes" | "error", unknown>;
  if (answer["ok"] === true && verdict === "pass")
    return { kind: "pass", context: textOrNull(context), notes: textOrNull(notes) };
  if (answer["ok"] === true && verdict === "refuse" && typeof reason === "string" && reason !== "")
    return { kind: "refuse", reason };
  if (answer["cancelled"] === true) return { kind: "fault", cause: `the core gave the dispatch up: ${String(reason)}` };
  if (typeof error === "string") return { kind: "fault", cause: `the core did not take the event: ${error}` };
  return { kind: "fault", cause: `the core gave an answer that is none: ${JSON.stringify(answer).slice(0, 200)}` };
}

function isOutcome(answer: Fields | Outcome): answer is Outcome {
  return "kind" in answer;
}

// ------------------------------------------------------------------------------------------- the sessions

/** What is known of one OMP session or subagent, by its transcript's own id. */
interface Session {
  /** The session a person sees; a subagent's is the one that started it. */
  readonly session: string;
  readonly agentId: string | null;
  /** Rises with each input, activation and compaction. */
  generation: number;
  turn: number;
  /** The assistant message as far as it was streamed: the only place where a call's purpose stands when the call is gated. */
  streamed: unknown;
  /** Dispatches that a new message, a switch or the end gives up, with the call they decide. */
  readonly open: Map<string, string>;
  /** Calls that were let through and have no result yet, with the payload they were asked with. */
  readonly admitted: Map<string, { readonly payload: Fields; readonly context: string | null }>;
  /** Answers whose context belongs before the next turn. */
  incoming: Promise<Outcome>[];
  /** The prompt of the turn being prepared: OMP may prepare one several times, and a second copy must not send it again. */
  prompted: string | null;
  typed: string | null;
  /** OMP announced that it goes on by itself: the next prompt is its own, unless its message turns out to be the person's. */
  continues: boolean;
  doubtful: string | null;
  /** A slash command may become a prompt; only then it is a message. */
  command: boolean;
}

export interface Setting {
  readonly binary: string;
  readonly answerWithinMs: number;
}

/** All OMP sessions of this process in front of one core. */
export class Adapter {
  readonly #core: CoreLink;
  readonly #setting: Setting;
  readonly #sessions = new Map<string, Session>();
  readonly #byFile = new Map<string, Session>();
  readonly #seen = new WeakSet<object>();
  /** Messages are numbered by this process and never again by a later one of the same session. */
  readonly #stamp = `${process.pid}-${Date.now().toString(36)}`;
  #main: Session | null = null;
  #over = false;
  #screen: Context | null = null;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#core = new CoreLink(setting.binary, (line) => this.#say(this.#screen, line));
  }

  get core(): CoreLink {
    return this.#core;
  }

  attach(pi: Host): void {
    const on = (
      name: string,
      handle: (session: Session, event: unknown, context: Context) => unknown,
      onBug: (cause: string) => unknown = () => undefined,
    ): void =>
      pi.on(name, async (event, context) => {
        try {
          if (this.#isCopy(name, event)) return undefined;
          if (context.mode === "tui") this.#screen = context;
          return await handle(this.#sessionOf(pi, context), event, context);
        } catch (thrown) {
          return onBug(`the adapter failed: ${causeOf(thrown)}`);
        }
      });
    on("session_start", (session, _event, context) => this.#activate(session, context));
    on("session_switch", (session, _event, context) => this.#activate(session, context));
    on("input", (session, event, context) => this.#typed(session, context, textField(event, "text")));
    on("before_agent_start", (session, event, context) =>
      this.#beforeTurn(session, context, textField(event, "prompt")),
    );
    on("agent_start", (session) => {
      session.continues = false;
    });
    on("agent_end", (session, event) => {
      session.continues = field(event, "willContinue") === true;
    });
    on("turn_start", (session) => {
      session.turn += 1;
    });
    on("message_start", (session, event, context) => this.#message(session, context, field(event, "message")));
    on("message_update", (session, event) => {
      session.streamed = field(event, "message");
    });
    on(
      "tool_call",
      (session, event, context) => this.#toolCall(session, event, context),
      (cause) => ({ block: true, reason: this.#fault(cause) }),
    );
    on("tool_result", (session, event, context) => this.#toolResult(session, event, context));
    on("tool_execution_end", (session, event, context) => this.#toolEnd(session, event, context));
    on("session_compact", (session, event, context) =>
      this.#compact(session, context, field(event, "compactionEntry")),
    );
    on(
      "session_stop",
      (session, event, context) => this.#stop(session, event, context),
      (cause) => ({ decision: "block", reason: this.#fault(cause) }),
    );
    on("session_shutdown", (session, _event, context) => this.#shutdown(session, context));
  }

  /** The same event reaches every copy as the same object; a prompt or an input is made anew for each and told apart by its text. */
  #isCopy(name: string, event: unknown): boolean {
    if (name === "input" || name === "before_agent_start" || typeof event !== "object" || event === null) return false;
    if (this.#seen.has(event)) return true;
    this.#seen.add(event);
    return false;
  }

  #sessionOf(pi: Host, context: Context): Session {
    const own = context.sessionManager.getSessionId();
    const known = this.#sessions.get(own);
    if (known !== undefined) return known;
    const file = context.sessionManager.getSessionFile() ?? null;
    const made = newSession(this.#owner(pi, context, own, file));
    this.#sessions.set(own, made);
    if (file !== null) this.#byFile.set(file, made);
    return made;
  }

  /**
   * OMP does not say that a session is a subagent's. Its transcript lies in the folder named like its parent's transcript; where nothing
   * is kept on disk, only a subagent has the `yield` tool. A fork names a parent too, but lies beside it.
   */
  #owner(pi: Host, context: Context, own: string, file: string | null): { session: string; agentId: string | null } {
    const parent = field(context.sessionManager.getHeader?.(), "parentSession");
    if (file !== null && parent === `${dirname(file)}.jsonl`) {
      const above = this.#byFile.get(parent);
      const name = basename(file, ".jsonl");
      const session = above?.session ?? basename(parent, ".jsonl").replace(/^.*_/, "");
      return { session, agentId: above?.agentId == null ? name : `${above.agentId}/${name}` };
    }
    if (context.mode !== "print" || this.#main === null) return { session: own, agentId: null };
    const tools = pi.getActiveTools?.();
    const isSub = Array.isArray(tools) && tools.includes("yield");
    return isSub ? { session: this.#main.session, agentId: own } : { session: own, agentId: null };
  }

  #common(session: Session, context: Context): Fields {
    const { agentId, generation } = session;
    return {
      session: session.session,
      ...(agentId === null ? { agent: "main" } : { agent: "sub", agentId }),
      cwd: context.cwd,
      transcript: context.sessionManager.getSessionFile() ?? null,
      window: context.mode === "tui",
      generation,
    };
  }

  // ------------------------------------------------------------------------------------------- the events

  #activate(session: Session, context: Context): void {
    if (session.agentId !== null) return;
    const left = this.#main;
    if (left !== null && left !== session) {
      this.#giveUp(left, "the person went to another session");
      void this.#core.dispatch("session_end", { ...this.#common(left, context), transcript: null });
    }
    this.#giveUp(session, "the session was activated again");
    this.#main = session;
    this.#over = false;
    session.generation += 1;
    session.incoming.push(this.#core.dispatch("session_start", this.#common(session, context)).outcome);
  }

  #typed(session: Session, context: Context, text: string): void {
    session.command = text.startsWith("/");
    if (session.command || session.typed === text) return;
    session.typed = text;
    setTimeout(() => {
      session.typed = null;
    }, 0);
    this.#personWrote(session, context, text);
  }

  #personWrote(session: Session, context: Context, text: string): void {
    session.generation += 1;
    this.#giveUp(session, "a new message of the person came");
    session.incoming.push(this.#core.dispatch("input", { ...this.#common(session, context), text }).outcome);
  }

  /** Outside a window OMP reports a person's message only here, where it also reports what it tells the model by itself. */
  async #beforeTurn(session: Session, context: Context, prompt: string): Promise<object | undefined> {
    const isMessage = session.agentId === null && (context.mode !== "tui" || session.command);
    if (isMessage && session.prompted !== prompt) {
      if (session.continues) session.doubtful = prompt;
      else this.#personWrote(session, context, prompt);
    }
    session.prompted = prompt;
    session.command = false;
    const asked = session.incoming;
    session.incoming = [];
    const outcomes = await Promise.all(asked.map((outcome) => within(outcome, this.#setting.answerWithinMs)));
    const texts = outcomes.flatMap((outcome) => (outcome === null ? [] : this.#forModel(context, outcome)));
    if (texts.length === 0) return undefined;
    return { message: { customType: "tama", content: texts.join("\n\n"), display: false, attribution: "agent" } };
  }

  #message(session: Session, context: Context, message: unknown): void {
    const role = field(message, "role");
    if (role === "toolResult") return;
    if (role === "user" && field(message, "attribution") === "user" && session.doubtful !== null) {
      this.#personWrote(session, context, session.doubtful);
      session.doubtful = null;
    }
    session.prompted = null;
    if (role !== "assistant") return;
    session.doubtful = null;
    session.streamed = message;
  }

  async #toolCall(session: Session, event: unknown, context: Context): Promise<object | undefined> {
    const call = callOf(event);
    const message = `${this.#stamp}.${session.turn}`;
    const payload = { ...this.#common(session, context), ...call, message, ...purposeOf(session.streamed, call.call) };
    const outcome = await this.#assess(session, context, {
      event: "tool_call",
      payload,
      key: keyOf(call),
      label: `${call.tool} call`,
    });
    if (outcome.kind !== "pass") return { block: true, reason: this.#reason(outcome) };
    session.admitted.set(keyOf(call), { payload, context: outcome.context });
    this.#note(context, outcome.notes);
    return undefined;
  }

  async #toolResult(session: Session, event: unknown, context: Context): Promise<object | undefined> {
    const sent = this.#settleCall(session, context, event, field(event, "content"), field(event, "details"));
    if (sent === null) return undefined;
    const outcome = await within(sent.outcome, this.#setting.answerWithinMs);
    const texts = [
      ...(sent.context === null ? [] : [sent.context]),
      ...(outcome === null ? [] : this.#forModel(context, outcome)),
    ];
    const content = field(event, "content");
    if (texts.length === 0 || !Array.isArray(content)) return undefined;
    return { content: [...content, ...texts.map((text) => ({ type: "text", text }))] };
  }

  /** A call that was let through and ends without a result event was stopped by OMP itself; its own words settle it. */
  #toolEnd(session: Session, event: unknown, context: Context): void {
    const key = keyOf(callOf(event));
    for (const [id, decides] of session.open)
      if (decides === key) this.#core.cancel(id, "OMP ended the call before it was decided");
    if (session.admitted.has(key))
      this.#settleCall(
        session,
        context,
        event,
        field(field(event, "result"), "content"),
        field(field(event, "result"), "details"),
      );
  }

  #settleCall(
    session: Session,
    context: Context,
    event: unknown,
    content: unknown,
    details: unknown,
  ): { outcome: Promise<Outcome>; context: string | null } | null {
    const call = callOf(event);
    const asked = session.admitted.get(keyOf(call));
    session.admitted.delete(keyOf(call));
    // A result that comes while OMP shuts down must not start a core that nobody ends; the transcript holds it.
    if (this.#over && this.#core.pid === null) return null;
    const answer = { isError: field(event, "isError") === true, text: contentText(content), details: details ?? null };
    const { outcome } = this.#core.dispatch("tool_result", {
      ...this.#common(session, context),
      ...call,
      ...asked?.payload,
      ...answer,
    });
    return { outcome, context: asked?.context ?? null };
  }

  #compact(session: Session, context: Context, entry: unknown): void {
    session.generation += 1;
    session.incoming.push(
      this.#core.dispatch("compact", { ...this.#common(session, context), summary: textField(entry, "summary") })
        .outcome,
    );
  }

  async #stop(session: Session, event: unknown, context: Context): Promise<object | undefined> {
    const last = field(event, "last_assistant_message");
    const active = field(event, "stop_hook_active") === true;
    const signal = field(event, "signal");
    const about = { stopReason: field(last, "stopReason") ?? null, errorMessage: field(last, "errorMessage") ?? null };
    const payload = {
      ...this.#common(session, context),
      answer: contentText(field(last, "content")),
      message: `${this.#stamp}.${session.turn}`,
      stopHookActive: active,
      ...about,
    };
    const asked = { event: "stop", payload, key: "", label: "ending of this turn" };
    const outcome = await this.#assess(session, context, signal instanceof AbortSignal ? { ...asked, signal } : asked);
    if (outcome.kind === "pass") this.#note(context, outcome.notes);
    // Given up: the turn belongs to the person's message, the interrupt or the end that did it.
    if (outcome.kind === "pass" || outcome.kind === "cancelled") return undefined;
    // A core that is broken refuses an ending once; a session must not be trapped by what it cannot mend.
    if (outcome.kind === "fault" && active) return this.#note(context, this.#fault(outcome.cause));
    return { decision: "block", reason: this.#reason(outcome) };
  }

  async #shutdown(session: Session, context: Context): Promise<void> {
    this.#giveUp(session, "the session shut down");
    if (session.agentId !== null) return;
    this.#over = true;
    if (this.#core.pid === null) return;
    await within(this.#core.dispatch("session_end", this.#common(session, context)).outcome, shutdownMs);
    this.#core.end();
  }

  // ---------------------------------------------------------------------------------------- asking and telling

  /** Asks the core and answers in time whatever happens: with a verdict, or with what is still being waited for. */
  async #assess(
    session: Session,
    context: Context,
    asked: { event: string; payload: Fields; key: string; label: string; signal?: AbortSignal },
  ): Promise<Outcome> {
    let told = false;
    const heard: Heard = (hook, line) => {
      told = true;
      this.#say(context, `${hook}: ${line}`);
    };
    const sent = this.#core.dispatch(asked.event, asked.payload, heard);
    const interrupted = (): void => this.#core.cancel(sent.id, "the run was interrupted");
    session.open.set(sent.id, asked.key);
    asked.signal?.addEventListener("abort", interrupted, { once: true });
    try {
      const quick = await within(sent.outcome, quietMs);
      if (quick !== null) return quick;
      if (context.mode === "tui" && !told) context.ui.setStatus("tama", `tama: hooks decide this ${asked.label}`);
      if (context.mode === "tui" && asked.event === "tool_call")
        return await pausingTheClock(context, sent.outcome, interrupted);
      const inTime = await within(sent.outcome, this.#setting.answerWithinMs - quietMs);
      if (inTime !== null) return inTime;
      const cause = `${await this.#awaited(sent.id, asked.label)} after ${Math.round(this.#setting.answerWithinMs / 1000)} s, and OMP waits 30 s at most`;
      this.#core.cancel(sent.id, cause);
      return { kind: "late", cause };
    } finally {
      session.open.delete(sent.id);
      asked.signal?.removeEventListener("abort", interrupted);
      if (context.mode === "tui") context.ui.setStatus("tama", undefined);
    }
  }

  async #awaited(dispatch: string, label: string): Promise<string> {
    const answer = await within(this.#core.request("hooks/running"), 500);
    const hooks = field(answer, "hooks");
    const names = Array.isArray(hooks)
      ? hooks.filter((hook) => field(hook, "dispatch") === dispatch).map((hook) => String(field(hook, "hook")))
      : [];
    return names.length === 0
      ? `the hooks of this ${label} have not answered`
      : `${names.join(", ")} did not answer for this ${label}`;
  }

  #giveUp(session: Session, cause: string): void {
    for (const id of session.open.keys()) this.#core.cancel(id, cause);
  }

  #reason(outcome: Exclude<Outcome, { kind: "pass" }>): string {
    switch (outcome.kind) {
      case "refuse":
        return outcome.reason;
      case "fault":
        return this.#fault(outcome.cause);
      case "cancelled":
        return `tama: this call did not run: ${outcome.cause}.`;
      case "late":
        return `TAMA_HOOK_INFRASTRUCTURE: tama: ${outcome.cause}. Nothing was judged.`;
    }
  }

  #fault(cause: string): string {
    const binary = this.#setting.binary;
    return `TAMA_HOOK_INFRASTRUCTURE: tama: ${cause}. Nothing was judged. The core is started anew for the next event; if it fails again, "${binary} status" says what is wrong, and where ${binary} is gone, install Tama again and run "tama install omp".`;
  }

  /** What an answer says to the model, after telling the person what is for the person. */
  #forModel(context: Context, outcome: Outcome): string[] {
    if (outcome.kind === "refuse") return [outcome.reason];
    if (outcome.kind === "fault") this.#say(context, outcome.cause);
    if (outcome.kind !== "pass") return [];
    this.#note(context, outcome.notes);
    return outcome.context === null ? [] : [outcome.context];
  }

  #note(context: Context, notes: string | null): undefined {
    if (notes === null) return;
    if (context.mode === "tui") context.ui.notify(plain(notes), "info");
    else this.#say(context, notes);
  }

  /** One line for the person: in a window below the editor, elsewhere on stderr. Never a reason to fail. */
  #say(context: Context | null, line: string): void {
    try {
      if (context?.mode === "tui") context.ui.setStatus("tama", `tama: ${plain(line)}`);
      else writeSync(2, `tama: ${plain(line)}\n`);
    } catch {
      // Nobody listens any more.
    }
  }
}

function newSession(owner: { session: string; agentId: string | null }): Session {
  const state = { generation: 0, turn: 0, streamed: null, open: new Map(), admitted: new Map(), incoming: [] };
  return { ...owner, ...state, prompted: null, typed: null, continues: false, doubtful: null, command: false };
}

/**
 * OMP stops the clock of a tool call's handler while that handler shows something. An overlay that is never visible takes no keys; its
 * promise is rejected when the person interrupts the run.
 */
async function pausingTheClock(context: Context, outcome: Promise<Outcome>, interrupted: () => void): Promise<Outcome> {
  let close = (): void => {};
  let over = false;
  const component = { render: (): string[] => [], handleInput: (): void => {}, invalidate: (): void => {} };
  const open = (_tui: unknown, _theme: unknown, _keys: unknown, done: (value: unknown) => void): object => {
    close = () => done(undefined);
    if (over) close();
    return component;
  };
  const shown = context.ui.custom(open, { overlay: true, overlayOptions: { visible: () => false } });
  Promise.resolve(shown).catch(() => (over ? undefined : interrupted()));
  try {
    return await outcome;
  } finally {
    over = true;
    close();
  }
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
  const content = field(streamed, "content");
  const block = Array.isArray(content) ? content.find((one) => field(one, "id") === call) : undefined;
  const purpose = field(field(block, "arguments"), "i") ?? field(block, "intent");
  return typeof purpose === "string" ? { purpose } : { purposeUnknown: true };
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((block) => (field(block, "type") === "text" ? [textField(block, "text")] : [])).join("\n");
}

/** The promise's value, or null when it takes longer. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** BUN_BE_BUN and BUN_OPTIONS would turn the core into another program. */
function scrubbed(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith("BUN_") && name !== "NODE_OPTIONS");
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** What could move a cursor is not for a screen. */
function plain(line: string): string {
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ").slice(0, 1000);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function field(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined;
}

function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function causeOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

// ------------------------------------------------------------------------------------------------ loading

const place = Symbol.for("tama.omp");

/** OMP calls this once for each session or subagent it loads the file into. */
export default function tama(pi: Host): void {
  const first = attachOf(Reflect.get(globalThis, place));
  if (first !== null) {
    first(pi);
    return;
  }
  const adapter = new Adapter({ binary: installed.binary, answerWithinMs });
  Reflect.set(globalThis, place, adapter);
  adapter.attach(pi);
}

function attachOf(adapter: unknown): ((pi: Host) => void) | null {
  if (typeof adapter !== "object" || adapter === null || !("attach" in adapter)) return null;
  const attach = adapter.attach;
  return typeof attach === "function" ? (pi) => void Reflect.apply(attach, adapter, [pi]) : null;
}
