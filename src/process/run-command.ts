import { every } from "../base/clock.ts";
import { done, type Result } from "../base/result.ts";
import { platform } from "./platform.ts";
import { endRecorded } from "./signal.ts";
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

/**
 * Runs a program to its end with an empty input. One that cannot be started is a failure; one that exits with an error is not. After
 * `withinMs` it is ended with all it started, which reads as a signal; without it there is no limit.
 */
export async function runCommand(request: StartRequest, withinMs?: number): Promise<Result<Finished>> {
  const child = startInGroup(request, []);
  if (!child.ok) return child;
  child.value.endInput();
  const letBe = withinMs === undefined ? () => {} : every(withinMs, () => endTree(child.value.pid));
  const [stdout, stderr, ending] = await Promise.all([
    textOf(child.value.output),
    textOf(child.value.errors),
    child.value.ended,
  ]);
  letBe();
  return done({ code: ending.kind === "code" ? ending.code : null, stdout, stderr });
}

/** Ends a process and its descendants; one that starts another meanwhile is met again at the next time. */
function endTree(root: number): void {
  const all = platform.processes() ?? [];
  const tree = new Set([root]);
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  for (const { pid, start } of all) if (tree.has(pid)) endRecorded({ pid, start });
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
