import { readToEnd } from "../base/descriptors.ts";
import { causeOf } from "../base/result.ts";
import { infrastructure } from "../base/verdict.ts";
import { type Decision, faultOf, type SaidAnswer } from "./decision.ts";
import type { OneShot } from "./one-shot.ts";

/** How one agent's event is read, decided and answered. */
export interface ArmedHost<Heard extends { readonly host: string | null }> {
  /** What the agent wrote on stdin. */
  readonly read: (stdin: string) => Heard | Promise<Heard>;
  /** `bug` resolves where an exception was thrown that nobody awaits: it is then the decision. */
  readonly decide: (heard: Heard, bug: Promise<Decision>) => Promise<Decision>;
  /** A decision in its own words; `event` is its own name of the event, null where not even that can be read. */
  readonly say: (event: string | null, decision: Decision) => SaidAnswer;
}

/**
 * One event: read, decide, answer; returns the exit code. Refusal is armed first: every way out of here that is not a decision (an exception
 * wherever it is thrown, stdin that does not fit, a signal, a core that does not answer) is said as that event's refusal. A death without an
 * answer is the registered command line's, or its entry's, to refuse. Nothing of the core is loaded here.
 */
export async function answerArmed<Heard extends { readonly host: string | null }>(
  context: OneShot,
  host: ArmedHost<Heard>,
): Promise<number> {
  const bug = Promise.withResolvers<Decision>();
  const onBug = (thrown: unknown): void => bug.resolve(bugOf(thrown));
  for (const kind of ["uncaughtException", "unhandledRejection"] as const) process.on(kind, onBug);
  let event: string | null = null;
  try {
    const heard = await host.read(readToEnd(0).toString());
    event = heard.host;
    return write(context, host.say(event, await host.decide(heard, bug.promise)));
  } catch (thrown) {
    return write(context, host.say(event, bugOf(thrown)));
  }
}

function write(context: OneShot, said: SaidAnswer): number {
  if (said.stderr !== "") context.err(said.stderr);
  try {
    if (said.stdout !== "") context.out(said.stdout);
    return said.code;
  } catch (thrown) {
    // Nobody reads any more; what stays is the exit code.
    context.err(`${infrastructure("tama", `the answer could not be written: ${causeOf(thrown)}`)}\n`);
    return 2;
  }
}

function bugOf(thrown: unknown): Decision {
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : causeOf(thrown);
  return faultOf(`a bug in Tama: ${stack}`);
}
