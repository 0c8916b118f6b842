import { LineCutter } from "../../src/base/lines.ts";

/** A core under measurement. It is asked as an adapter asks, and an answer settles its promise without any polling between. */
export interface ServedCore {
  readonly pid: number;
  readonly ask: (line: Record<string, unknown>) => Promise<Answer>;
  readonly dispatch: (event: string, payload: object) => Promise<Answer>;
  /** Sends a dispatch without waiting; its id cancels it. */
  readonly begin: (event: string, payload: object) => { readonly id: string; readonly answer: Promise<Answer> };
  readonly onProgress: (listen: (line: Answer) => void) => void;
  readonly close: () => Promise<void>;
}

export type Answer = Readonly<Record<string, unknown>>;

export interface CoreRequest {
  readonly binary: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Words before the program, such as a tracer. */
  readonly under?: readonly string[];
}

export async function startCore(request: CoreRequest): Promise<ServedCore> {
  const child = Bun.spawn([...(request.under ?? []), request.binary, "run-hook", "omp", "--serve"], {
    cwd: request.cwd,
    env: request.environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<string, (answer: Answer) => void>();
  let listener: (line: Answer) => void = () => {};
  const ready = Promise.withResolvers<void>();
  const reading = (async () => {
    const cutter = new LineCutter(1 << 26);
    for await (const chunk of child.stdout)
      for (const bytes of cutter.push(chunk)) {
        const line = JSON.parse(String(bytes)) as Answer;
        if (line["op"] === "ready") ready.resolve();
        else if (line["op"] === "progress") listener(line);
        else take(waiting, line);
      }
    ready.reject(new Error("the core ended before it was ready"));
  })();
  let numbered = 0;
  const ask = (line: Record<string, unknown>): Promise<Answer> => {
    const id = String(line["id"] ?? `b${++numbered}`);
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ ...line, id })}\n`);
    child.stdin.flush();
    return answer;
  };
  const begin: ServedCore["begin"] = (event, payload) => {
    const id = `d${++numbered}`;
    return { id, answer: ask({ id, op: "dispatch", event, payload }) };
  };
  await ready.promise;
  return {
    pid: child.pid,
    ask,
    begin,
    dispatch: (event, payload) => begin(event, payload).answer,
    onProgress: (listen) => {
      listener = listen;
    },
    close: async () => {
      child.stdin.end();
      await Promise.all([child.exited, reading]);
    },
  };
}

function take(waiting: Map<string, (answer: Answer) => void>, line: Answer): void {
  const id = String(line["id"]);
  waiting.get(id)?.(line);
  waiting.delete(id);
}
