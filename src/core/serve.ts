import { lineBytesMax } from "../base/limits.ts";
import { LineCutter } from "../base/lines.ts";
import { release } from "../base/release.ts";
import { causeOf } from "../base/result.ts";
import { type Line, parseLine } from "../words/wire.ts";
import { readCatalog } from "./catalog.ts";
import type { Core } from "./core.ts";
import { aborted } from "./decided.ts";
import { answerRequest, type Operations, unknownOperation } from "./requests.ts";

/** The two ends of the protocol, handed in so that the loop itself touches no descriptor. */
export interface ServeStreams {
  readonly input: ReadableStream<Uint8Array>;
  /** Queues one line in order; settles when little enough is queued to go on reading. Rejects once the reader is gone. */
  readonly write: (line: string) => Promise<void>;
  /** Settles when everything queued is out, or nobody reads any more. */
  readonly drained: () => Promise<void>;
  /** Aborts on a signal that ends the core, and when nobody reads its answers any more. */
  readonly stopped: AbortSignal;
}

/**
 * The NDJSON loop of `--serve` (contract 2). Lines are taken in order; each begins its effects before the next is read. No input ends the
 * loop but its end or a stop; either relinquishes every active hook, and the loop returns when their groups are gone.
 */
export async function serve(core: Core, operations: Operations, streams: ServeStreams): Promise<void> {
  const catalog = readCatalog(core.setting.home);
  const serving: Serving = { core, operations, streams, dispatches: new Map(), pending: new Set(), lines: 0 };
  await streams.write(
    JSON.stringify({ op: "ready", protocol: 1, release, catalog: catalog.ok ? catalog.value.id : "unreadable" }),
  );
  core.warm();
  // A stop is not kept waiting by a line whose answer a slow reader has not taken.
  await Promise.race([readLines(serving).catch(() => {}), aborted(streams.stopped)]);
  for (const controller of serving.dispatches.values()) controller.abort(relinquished(streams.stopped));
  await Promise.allSettled([...serving.pending]);
  await streams.drained();
  await core.close();
}

function relinquished(stopped: AbortSignal): string {
  const signal: unknown = stopped.aborted ? stopped.reason : null;
  const why = typeof signal === "string" ? `the core was told to end (${signal})` : "the core's input has ended";
  return `${why}, so this dispatch was relinquished`;
}

interface Serving {
  readonly core: Core;
  readonly operations: Operations;
  readonly streams: ServeStreams;
  readonly dispatches: Map<string, AbortController>;
  readonly pending: Set<Promise<unknown>>;
  lines: number;
}

async function readLines(serving: Serving): Promise<void> {
  const cutter = new LineCutter(lineBytesMax);
  const { input, stopped } = serving.streams;
  const reader = input.getReader();
  // Giving the input up ends the read under way, and lets the process end while its stdin is still open.
  const giveUp = (): void => void reader.cancel().catch(() => {});
  stopped.addEventListener("abort", giveUp, { once: true });
  while (!stopped.aborted) {
    const read = await reader.read();
    if (read.done) break;
    for (const line of cutter.push(read.value)) {
      if (stopped.aborted) return;
      await takeLine(serving, line);
    }
  }
  const rest = cutter.rest();
  if (rest !== undefined) await takeLine(serving, rest);
}

/** Takes one line. A reader that is gone rejects here, which ends the loop. */
async function takeLine(serving: Serving, bytes: Buffer | null): Promise<void> {
  serving.lines++;
  if (bytes?.length === 0) return await answer(serving, null, badLine(serving.lines, "empty"));
  const text = bytes === null ? null : decode(bytes);
  if (bytes === null) return await answer(serving, null, badLine(serving.lines, `longer than ${lineBytesMax} bytes`));
  if (text === null) return await answer(serving, null, badLine(serving.lines, "not UTF-8"));
  const line = parseLine(text);
  if (line.id !== null && serving.dispatches.has(line.id)) {
    const error = `line ${serving.lines}: dispatch ${JSON.stringify(line.id)} is still running; its id cannot be used again before its answer`;
    return await answer(serving, null, { ok: false, duplicateOf: line.id, error });
  }
  if (line.op === "bad") return await answer(serving, line.id, badLine(serving.lines, line.cause));
  if (line.op === "request" && !Object.hasOwn(serving.operations, line.operation))
    return await answer(serving, line.id, badLine(serving.lines, unknownOperation(serving.operations, line.operation)));
  await act(serving, line);
}

async function act(serving: Serving, line: Line): Promise<void> {
  switch (line.op) {
    case "dispatch":
      return track(serving, dispatch(serving, line.id, line.event));
    case "cancel": {
      const controller = serving.dispatches.get(line.dispatchId);
      controller?.abort(`cancelled by ${line.id}`);
      return await answer(serving, line.id, { ok: true, dispatchId: line.dispatchId, owned: controller !== undefined });
    }
    case "request":
      return track(serving, request(serving, line.id, line.operation, line.body));
  }
}

function track(serving: Serving, work: Promise<void>): void {
  const settled = work.catch(() => {}).finally(() => serving.pending.delete(settled));
  serving.pending.add(settled);
}

async function dispatch(
  serving: Serving,
  id: string,
  event: Extract<Line, { op: "dispatch" }>["event"],
): Promise<void> {
  const controller = new AbortController();
  serving.dispatches.set(id, controller);
  const decided = await serving.core.dispatch({
    id,
    event,
    signal: controller.signal,
    onProgress: (hook, line) => {
      serving.streams.write(JSON.stringify({ op: "progress", dispatchId: id, hook, line })).catch(() => {});
    },
  });
  serving.dispatches.delete(id);
  await answer(serving, id, decided);
}

async function request(
  serving: Serving,
  id: string,
  operation: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const result = await answerRequest(serving.operations, operation, body).catch((thrown: unknown) => ({
    ok: false as const,
    cause: causeOf(thrown),
  }));
  await answer(serving, id, result.ok ? { ok: true, answer: result.value } : { ok: false, error: result.cause });
}

function answer(serving: Serving, id: string | null, body: object): Promise<void> {
  return serving.streams.write(JSON.stringify({ id, ...body }));
}

function badLine(number: number, cause: string): object {
  return { ok: false, error: `line ${number}: ${cause}` };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
