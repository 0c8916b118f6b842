import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { causeOf, type Fields, field, isFields, parsed } from "./fields.ts";
import { type Outcome, outcomeOf, type Reason } from "./outcome.ts";

const lineBytesMax = 64 * 1024 * 1024;

export type Heard = (hook: string, line: string) => void;

export interface Sent {
  readonly id: string;
  readonly outcome: Promise<Outcome>;
}

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

  dispatch(event: string, payload: Fields, heard: Heard = () => {}): Sent {
    const id = `e${this.#next++}`;
    const answer = this.#ask(id, { id, op: "dispatch", event, payload }, heard);
    return { id, outcome: answer.then(outcomeOf) };
  }

  /** The answer of an operation; undefined when the core has none. */
  async request(operation: string, body: Fields = {}): Promise<unknown> {
    const id = `r${this.#next++}`;
    return field(await this.#ask(id, { id, op: "request", operation, body }, () => {}), "answer");
  }

  /** Gives a dispatch up: its promise resolves at once, the core ends its hooks. Nothing happens when it is settled already. */
  cancel(id: string, reason: Reason): void {
    if (!this.#waiting.has(id)) return;
    this.#settle(id, { kind: "cancelled", ...reason });
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

/** BUN_BE_BUN and BUN_OPTIONS would turn the core into another program. */
function scrubbed(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith("BUN_") && name !== "NODE_OPTIONS");
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
