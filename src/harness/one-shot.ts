import type { Clock } from "../base/clock.ts";
import { causeOf } from "../base/result.ts";
import { infrastructure } from "../base/verdict.ts";
import type { Home } from "../disk/home.ts";

/** What a harness that starts one process an event is answered with; main.ts hands it in. */
export interface OneShot {
  readonly home: Home;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The words that start this very program. */
  readonly program: readonly string[];
  readonly clock: Clock;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Aborts on SIGTERM, SIGINT and SIGHUP; the first look at it is what makes the process listen. */
  readonly stopped: AbortSignal;
}

/**
 * Answers one event on stdin in the harness's own form and returns the exit code. Never rejects: exit 2 is every harness's refusal, and
 * what cannot be answered is refused (contract 3.4).
 */
export async function answerOnce(harness: string, context: OneShot): Promise<number> {
  const load = Object.hasOwn(harnesses, harness) ? harnesses[harness] : undefined;
  if (load === undefined) {
    const known = Object.keys(harnesses).join(", ");
    context.err(`run-hook: ${JSON.stringify(harness)} is not answered one event at a time; there is ${known}\n`);
    return 2;
  }
  try {
    const answer = await load();
    return await answer(context);
  } catch (thrown) {
    context.err(`${infrastructure("tama", `a bug in Tama: ${causeOf(thrown)}`)}\n`);
    return 2;
  }
}

const harnesses: Readonly<Record<string, () => Promise<(context: OneShot) => Promise<number>>>> = {
  "claude-code": async () => (await import("./claude-code/answer-event.ts")).answerClaudeCode,
  "claude-code-plugin": async () => (await import("./claude-code/answer-event.ts")).answerClaudeCodePlugin,
  codex: async () => (await import("./codex/answer-event.ts")).answerCodex,
  gemini: async () => (await import("./gemini/answer-event.ts")).answerGemini,
};
