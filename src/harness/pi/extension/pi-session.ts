import { writeSync } from "node:fs";
import type { CoreLink } from "../../omp/extension/core-link.ts";
import { type Fields, plain } from "../../omp/extension/fields.ts";
import { type Outcome, refusalText } from "../../omp/extension/outcome.ts";
import { quietMs, within } from "../../omp/extension/waiting.ts";
import type { PiContext } from "./pi-host.ts";

/** One pi session: pi loads the file anew for each, so nothing here outlives it. */
export interface PiSession {
  readonly core: CoreLink;
  readonly binary: string;
  /** Messages are numbered by this process and never again by a later one of the same session. */
  readonly stamp: string;
  turn: number;
  /** Rises with each input, activation and compaction. */
  generation: number;
  /** This run goes on because an ending was refused. */
  continuing: boolean;
  /** Calls that were let through and have no result yet, with the payload they were asked with. */
  readonly admitted: Map<string, { readonly payload: Fields; readonly context: string | null }>;
  /** Contexts for the model that wait for a message to stand in. */
  waiting: string[];
}

/** What every event of a session carries (contract 2). pi has no subagents. */
export function sessionFields(session: PiSession, context: PiContext): Fields {
  return {
    session: context.sessionManager.getSessionId(),
    agent: "main",
    cwd: context.cwd,
    transcript: context.sessionManager.getSessionFile() ?? null,
    window: context.mode === "tui",
    generation: session.generation,
  };
}

/** Asks the core, and waits as long as its hooks need: pi has no clock of its own over a handler. The person's interrupt gives it up. */
export async function asked(session: PiSession, context: PiContext, event: string, payload: Fields): Promise<Outcome> {
  const sent = session.core.dispatch(event, payload, (hook, line) => tell(context, `${hook}: ${line}`));
  const { signal } = context;
  const interrupted = (): void => session.core.cancel(sent.id, { by: "interrupt", cause: "the run was interrupted" });
  if (signal?.aborted === true) interrupted();
  signal?.addEventListener("abort", interrupted, { once: true });
  try {
    const quick = await within(sent.outcome, quietMs);
    if (quick !== null) return quick;
    status(context, `tama: Tama decides about this ${event.replace("_", " ")}; Esc gives it up`);
    return await sent.outcome;
  } finally {
    signal?.removeEventListener("abort", interrupted);
    status(context, undefined);
  }
}

/** What an answer says to the model, after telling the person what is for the person. */
export function forTheModel(session: PiSession, context: PiContext, outcome: Outcome): string[] {
  if (outcome.kind === "pass") {
    if (outcome.notes !== null) tell(context, outcome.notes);
    return outcome.context === null ? [] : [outcome.context];
  }
  if (outcome.kind === "refuse") return [outcome.reason];
  tell(context, refusalText(outcome, session.binary));
  return [];
}

/** One line for the person: on the screen where there is one, else on stderr. */
export function tell(context: PiContext, line: string): void {
  try {
    if (context.hasUI) context.ui.notify(plain(line), "info");
    else writeSync(2, `tama: ${plain(line)}\n`);
  } catch {
    // Nobody listens any more.
  }
}

function status(context: PiContext, line: string | undefined): void {
  try {
    if (context.hasUI) context.ui.setStatus("tama", line);
  } catch {
    // Nobody listens any more.
  }
}
