import { done, type Result } from "../base/result.ts";
import { type StartRequest, startInGroup } from "./start.ts";

/** How a short program ended and what it said. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** More than this a program that is asked one question has no reason to say; the rest is read and let go. */
const keptBytes = 1024 * 1024;

/** Runs a program to its end with an empty input. One that cannot be started is a failure; one that exits with an error is not. */
export async function runCommand(request: StartRequest): Promise<Result<Finished>> {
  const child = startInGroup(request, []);
  if (!child.ok) return child;
  child.value.endInput();
  const [stdout, stderr, ending] = await Promise.all([
    textOf(child.value.output),
    textOf(child.value.errors),
    child.value.ended,
  ]);
  return done({ code: ending.kind === "code" ? ending.code : null, stdout, stderr });
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let kept = 0;
  for await (const chunk of stream) {
    if (kept < keptBytes) chunks.push(chunk.subarray(0, keptBytes - kept));
    kept += chunk.length;
  }
  return Buffer.concat(chunks).toString();
}
