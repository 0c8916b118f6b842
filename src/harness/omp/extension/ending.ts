import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { contentText, type Fields, field } from "./fields.ts";
import type { Context } from "./host.ts";
import type { Outcome, Reason } from "./outcome.ts";
import type { Shared } from "./process-state.ts";
import { commonFields, type Session } from "./session.ts";
import { within } from "./waiting.ts";

/** A core that says nothing must not hold OMP's question until its clock runs out: that would let the ending pass. */
const enforcementMs = 2_000;

/** The answer that a turn is about to end with, and everything a verdict on it depends on. */
export interface Candidate {
  /** Session, work generation, message and the text's digest. */
  readonly key: string;
  /** What enforces: the catalog and the session's roles. */
  readonly selection: string;
  readonly path: string | null;
  /** Device and inode of the transcript; null while OMP has not made it yet. */
  readonly file: string | null;
}

/** One assessment of one candidate, from its dispatch to its verdict, whoever asks for it and however often. */
export interface Assessment {
  readonly candidate: Candidate;
  /** The enforcement its running dispatch was asked under. */
  readonly selection: () => string;
  /** performance.now() of its beginning. */
  readonly begun: number;
  readonly outcome: Promise<Outcome>;
  /** The verdict once there is one. */
  readonly settled: () => Outcome | null;
  /** The dispatch that runs, by its id. */
  readonly dispatch: () => string;
  /** Resolves when a hook says that it waits for something outside. */
  readonly waitsOutside: Promise<void>;
  readonly giveUp: (reason: Reason) => void;
}

/** The candidate a message is. Continuations that OMP appends for a refused ending change nothing of it. */
export async function candidateOf(
  shared: Shared,
  session: Session,
  context: Context,
  message: unknown,
): Promise<Candidate> {
  const selection = await enforcement(shared, session);
  const digest = createHash("sha256")
    .update(contentText(field(message, "content")))
    .digest("hex");
  const about = [session.session, session.agentId, session.generation, messageId(shared, session), digest];
  const path = context.sessionManager.getSessionFile() ?? null;
  return { key: JSON.stringify(about), selection, path, file: path === null ? null : fileId(path) };
}

/** The session's assessment of this candidate: the one that runs or stands, or a new one; one of another candidate ends. */
export function assessmentOf(
  shared: Shared,
  session: Session,
  context: Context,
  asked: { candidate: Candidate; payload: Fields },
): Assessment {
  const owned = session.ending;
  const verdict = owned?.settled()?.kind;
  if (owned !== null && verdict !== "cancelled" && verdict !== "fault" && serves(owned, asked.candidate)) return owned;
  owned?.giveUp({ by: "candidate", cause: "a newer candidate answer replaced it" });
  const made = begin(shared, session, context, asked);
  session.ending = made;
  return made;
}

/** What a stop dispatch carries of the message that ends the turn. */
export function endingPayload(
  shared: Shared,
  session: Session,
  context: Context,
  message: unknown,
  stopHookActive: boolean,
): Fields {
  return {
    ...commonFields(session, context),
    answer: contentText(field(message, "content")),
    message: messageId(shared, session),
    stopHookActive,
    stopReason: field(message, "stopReason") ?? null,
    errorMessage: field(message, "errorMessage") ?? null,
  };
}

function begin(
  shared: Shared,
  session: Session,
  context: Context,
  { candidate, payload }: { candidate: Candidate; payload: Fields },
): Assessment {
  let given: Reason | null = null;
  let settled: Outcome | null = null;
  const givenUp = (): Outcome | null => (given === null ? null : { kind: "cancelled", ...given });
  let dispatch = "";
  let selection = candidate.selection;
  const outside = Promise.withResolvers<void>();
  const heard = (hook: string, line: string): void => {
    if (line.startsWith("czekam")) outside.resolve();
    shared.screen.say(context, `${hook}: ${line}`);
  };
  const assess = async (): Promise<Outcome> => {
    for (;;) {
      const over = givenUp();
      if (over !== null) return over;
      const sent = shared.core.dispatch("stop", payload, heard);
      dispatch = sent.id;
      const outcome = await sent.outcome;
      if (outcome.kind !== "pass" && outcome.kind !== "refuse") return outcome;
      // Roles or declarations that changed meanwhile make it a verdict of other rules: it is asked for again.
      const now = await enforcement(shared, session);
      if (now === selection) return outcome;
      selection = now;
    }
  };
  shared.screen.begin();
  const outcome = assess().then((verdict) => {
    settled = givenUp() ?? verdict;
    shared.screen.end(context);
    return settled;
  });
  return {
    candidate,
    selection: () => selection,
    begun: performance.now(),
    outcome,
    settled: () => settled,
    dispatch: () => dispatch,
    waitsOutside: outside.promise,
    giveUp: (reason) => {
      if (settled !== null || given !== null) return;
      given = reason;
      shared.core.cancel(dispatch, reason);
    },
  };
}

/** What enforces: the catalog, and the roles that the session's record gives it. A core that cannot say is one of its own. */
async function enforcement(shared: Shared, session: Session): Promise<string> {
  const owner = { session: session.session, ...(session.agentId === null ? {} : { agentId: session.agentId }) };
  const [declared, kept] = await Promise.all([
    within(shared.core.request("hooks/declared"), enforcementMs),
    within(shared.core.request("session/record", owner), enforcementMs),
  ]);
  return JSON.stringify([field(declared, "catalog") ?? null, field(field(kept, "record"), "roles") ?? null]);
}

/** Each turn has one assistant message. */
function messageId(shared: Shared, session: Session): string {
  return `${shared.stamp}.${session.turn}`;
}

/** A transcript that OMP only made since is the same one. */
function serves(owned: Assessment, asked: Candidate): boolean {
  const { key, path, file } = owned.candidate;
  const sameFile = path === asked.path && (file === asked.file || file === null);
  return key === asked.key && sameFile && owned.selection() === asked.selection;
}

function fileId(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
