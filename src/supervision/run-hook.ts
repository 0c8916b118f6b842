import type { Clock } from "../base/clock.ts";
import type { Verdict } from "../base/verdict.ts";
import type { Assignment, SupervisorLine } from "../words/supervised.ts";
import { claudeCodeVerdict } from "./claude-code-contract.ts";
import type { Pool } from "./pool.ts";
import { tamaVerdict } from "./tama-contract.ts";

/** One hook's run under its own supervisor. */
export interface HookRun {
  readonly hook: string;
  readonly verdict: Verdict;
  readonly ms: number;
}

export interface HookRunRequest {
  readonly assignment: Assignment;
  readonly event: string;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/**
 * Runs one hook. Never rejects: whatever breaks becomes a fault. On abort the whole group is gone before this settles, and the verdict is
 * a fault nobody may read as a judgement. The group of a hook that ended by itself is ended in the background.
 */
export async function runHook(pool: Pool, clock: Clock, request: HookRunRequest): Promise<HookRun> {
  const { assignment, signal } = request;
  const from = clock.ticks();
  const report = (verdict: Verdict): HookRun => ({
    hook: assignment.hook,
    verdict,
    ms: Math.round((clock.ticks() - from) * 100) / 100,
  });
  if (signal.aborted) return report({ kind: "fault", cause: "cancelled before it started" });
  const taken = pool.take();
  if (!taken.ok) return report({ kind: "fault", cause: taken.cause });
  const supervisor = taken.value;
  supervisor.onProgress(request.onProgress);
  const aborted = Promise.withResolvers<"aborted">();
  const onAbort = (): void => aborted.resolve("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  supervisor.assign(assignment);
  const word = await Promise.race([supervisor.outcome, aborted.promise]);
  signal.removeEventListener("abort", onAbort);
  // A hook that ended by itself is not waited for; whoever is cancelled, or has no word, is gone before this answers.
  if (word !== "aborted" && word !== null) {
    if ("gate" in assignment.program) pool.retire(supervisor);
    else supervisor.end().catch(() => {});
    return report(verdictOf(word, request));
  }
  await supervisor.end().catch(() => {});
  return report({
    kind: "fault",
    cause: word === "aborted" ? "cancelled" : "its supervisor ended before it answered",
  });
}

function verdictOf(word: SupervisorLine, request: HookRunRequest): Verdict {
  switch (word.says) {
    case "born":
      return { kind: "fault", cause: "its supervisor answered out of turn" };
    case "unborn":
    case "unstarted":
      return { kind: "fault", cause: word.cause };
    case "ended": {
      if (word.cut !== undefined) return { kind: "fault", cause: word.cut };
      if (word.signal !== null || word.code === null)
        return { kind: "fault", cause: `ended by ${word.signal ?? "a signal without a name"}` };
      const ending = {
        code: word.code,
        stdout: word.stdout,
        stderr: word.stderr,
        event: request.event,
        hook: request.assignment.hook,
      };
      const { program } = request.assignment;
      return "command" in program && program.contract === "claude-code"
        ? claudeCodeVerdict(ending)
        : tamaVerdict(ending);
    }
  }
}
