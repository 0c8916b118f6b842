import { done, failed, type Result } from "../base/result.ts";
import type { Adoption } from "../process/adopted.ts";
import { startGuarded } from "../process/guarded.ts";
import { endGroup } from "../process/signal.ts";
import { boundedOutput } from "./bounded-output.ts";

/** What one run of the command answered. */
export interface Answer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** False when an output was longer than what is kept, and so is cut in its middle. */
  readonly whole: boolean;
  /** Of both outputs, white space at their ends left out, and the exit code: the same answer has the same digest. */
  readonly digest: string;
}

export interface RunRequest {
  /** A program and its words. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly adoption: Adoption;
}

/**
 * Runs the command once, with nothing on its stdin, and ends what it left running. Null when `stop` aborted before it had ended: its whole
 * group is gone then, too. A command that is not there is no failure but an answer (exit code 127).
 */
export async function runOnce(request: RunRequest, stop: AbortSignal): Promise<Result<Answer | null>> {
  const { command, cwd, environment } = request;
  const started = startGuarded({ command, cwd, environment }, "tama wait");
  if (!started.ok) return started;
  const leader = started.value;
  leader.endInput();
  const stdout = boundedOutput(leader.output, keptBytes);
  const stderr = boundedOutput(leader.errors, keptBytes);
  const end = (): void => endGroup(leader.pid);
  stop.addEventListener("abort", end);
  if (stop.aborted) end();
  const ending = await leader.ended;
  stop.removeEventListener("abort", end);
  leader.closeChannel();
  await request.adoption.endStrangers();
  if (stop.aborted) return done(null);
  if (ending.kind === "signal") return failed(`the shell that ran the command was ended by ${ending.signal}`);
  await Promise.all([stdout.whenSaid(), stderr.whenSaid()]);
  return done({
    code: ending.code,
    stdout: stdout.bytes(),
    stderr: stderr.bytes(),
    whole: stdout.isWhole() && stderr.isWhole(),
    digest: `${ending.code} ${stdout.digest()} ${stderr.digest()}`,
  });
}

/** Of each output. An answer is read by a model or a person; a megabyte is far past what either takes. */
const keptBytes = 1024 * 1024;
