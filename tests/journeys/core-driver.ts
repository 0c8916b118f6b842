import { tamaBinary, type World } from "./tama-command.ts";
import { until } from "./until.ts";

/**
 * Drives a real core over its own protocol (contract 2), as a harness's adapter does: one JSON object a line, answers matched by id.
 * Nothing is interpreted; a test sees every frame as the core wrote it, in order.
 */
export type Frame = Readonly<Record<string, unknown>>;

export interface DrivenCore {
  readonly pid: number;
  readonly command: readonly string[];
  /** The core's first line. */
  readonly ready: Frame;
  /** Every frame so far, in order; the ready line is the first. */
  readonly frames: readonly Frame[];
  /** Every line sent so far. */
  readonly sent: readonly string[];
  /** Sends one line as it is, or an object as JSON. */
  readonly send: (line: string | object) => void;
  /** Sends bytes as they are, without a newline. */
  readonly sendBytes: (bytes: Uint8Array | string) => void;
  /** Sends a dispatch and returns its id at once. */
  readonly begin: (event: string, payload: object, id?: string) => string;
  /** The answer to an id, now or once it comes. Throws when the core ends without it. */
  readonly answer: (id: string) => Promise<Frame>;
  readonly dispatch: (event: string, payload: object, id?: string) => Promise<Frame>;
  readonly cancel: (dispatchId: string) => Promise<Frame>;
  readonly request: (operation: string, body?: object) => Promise<Frame>;
  /** The first frame that fits, now or once it comes. */
  readonly frame: (what: string, fits: (frame: Frame) => boolean) => Promise<Frame>;
  /** The first progress line of a dispatch that holds `text`. */
  readonly progress: (dispatchId: string, text: string) => Promise<Frame>;
  readonly stderr: () => string;
  readonly closeInput: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<CoreEnd>;
  /** Ends the core, if it still runs, by closing its input. */
  readonly close: () => Promise<CoreEnd>;
}

export interface CoreEnd {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

export interface CoreRequest {
  readonly harness?: string;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Words put before the program: a sandbox, or `strace`. */
  readonly under?: readonly string[];
}

let nextId = 0;

/** Starts `tama run-hook <harness> --serve` in a world and waits for its ready line. */
export async function startCore(world: World, request: CoreRequest = {}): Promise<DrivenCore> {
  const command = [...(request.under ?? []), tamaBinary, "run-hook", request.harness ?? "omp", "--serve"];
  const child = Bun.spawn(command, {
    env: { ...world.environment, ...request.environment },
    cwd: request.cwd ?? world.root,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const seen: Seen = { frames: [], byId: new Map(), over: false, said: "" };
  const sent: string[] = [];
  const reading = [readFrames(child.stdout, seen), readText(child.stderr, (text) => (seen.said += text))];
  const ended = Promise.all([child.exited, ...reading]).then((): CoreEnd => {
    const signal = child.signalCode === null ? null : String(child.signalCode);
    return { code: signal === null ? child.exitCode : null, signal };
  });
  const sendBytes = (bytes: Uint8Array | string): void => {
    quietly(() => child.stdin.write(bytes));
    quietly(() => child.stdin.flush());
  };
  const send = (line: string | object): void => {
    const text = typeof line === "string" ? line : JSON.stringify(line);
    sent.push(text);
    sendBytes(`${text}\n`);
  };
  const sendWithId = (head: string, line: object, id?: string): string => {
    const own = id ?? `${head}${++nextId}`;
    send({ id: own, ...line });
    return own;
  };
  const answer = (id: string): Promise<Frame> => waited(seen, `an answer to ${id}`, () => seen.byId.get(id));
  const frame: DrivenCore["frame"] = (what, fits) => waited(seen, what, () => seen.frames.find(fits));
  const begin: DrivenCore["begin"] = (event, payload, id) =>
    sendWithId("dispatch-", { op: "dispatch", event, payload }, id);
  const closeInput = (): void => quietly(() => child.stdin.end());
  const ready = await frame("the ready line", (one) => one["op"] === "ready");
  return {
    pid: child.pid,
    command,
    ready,
    frames: seen.frames,
    sent,
    send,
    sendBytes,
    begin,
    answer,
    dispatch: (event, payload, id) => answer(begin(event, payload, id)),
    cancel: (dispatchId) => answer(sendWithId("cancel-", { op: "cancel", dispatchId })),
    request: (operation, body = {}) => answer(sendWithId("request-", { op: "request", operation, body })),
    frame,
    progress: (dispatchId, text) =>
      frame(`progress of ${dispatchId} with "${text}"`, (one) => isProgress(one, dispatchId, text)),
    stderr: () => seen.said,
    closeInput,
    kill: (signal) => child.kill(signal),
    ended,
    close: () => {
      closeInput();
      return ended;
    },
  };
}

interface Seen {
  readonly frames: Frame[];
  readonly byId: Map<string, Frame>;
  over: boolean;
  said: string;
}

function isProgress(frame: Frame, dispatchId: string, text: string): boolean {
  return frame["op"] === "progress" && frame["dispatchId"] === dispatchId && String(frame["line"]).includes(text);
}

async function waited(seen: Seen, what: string, look: () => Frame | undefined): Promise<Frame> {
  return await until(
    what,
    () => {
      const found = look();
      if (found === undefined && seen.over) throw new Error(`the core ended without ${what}; it said: ${seen.said}`);
      return found;
    },
    60_000,
  );
}

async function readFrames(stdout: ReadableStream<Uint8Array>, seen: Seen): Promise<void> {
  let rest = "";
  await readText(stdout, (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const frame = JSON.parse(line) as Frame;
      seen.frames.push(frame);
      if (typeof frame["id"] === "string") seen.byId.set(frame["id"], frame);
    }
  });
  seen.over = true;
}

async function readText(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
}

/** A core may be gone when a test writes to it; how it ended says the rest. */
function quietly(write: () => unknown): void {
  try {
    Promise.resolve(write()).catch(() => {});
  } catch {
    // The reading end is gone.
  }
}
