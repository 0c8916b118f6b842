import { basename, dirname } from "node:path";
import type { Assessment } from "./ending.ts";
import { type Fields, field, listOf } from "./fields.ts";
import { type Context, type Host, hasWindow } from "./host.ts";
import type { Outcome, Reason } from "./outcome.ts";
import type { Shared } from "./process-state.ts";
import type { Cut, TextGate } from "./text-gate.ts";

/** What is known of one OMP session or subagent, by its transcript's own id. */
export interface Session {
  /** The session a person sees; a subagent's is the one that started it. */
  readonly session: string;
  readonly agentId: string | null;
  /** Where messages and entries of our own go. */
  readonly pi: Host;
  /** Rises with each input, activation and compaction. */
  generation: number;
  turn: number;
  /** The person went to another place in the session since this turn began. */
  moved: boolean;
  /** How many runs began: a message that starts a turn shows here. */
  runs: number;
  /** The assistant message as far as it was streamed: the only place where a call's purpose stands when the call is gated. */
  streamed: unknown;
  /** Dispatches that a new message, a switch or the end gives up, with the call they decide; "" = they decide none. */
  readonly open: Map<string, string>;
  /** Calls that were let through and have no result yet, with the payload they were asked with. */
  readonly admitted: Map<string, { readonly payload: Fields; readonly context: string | null }>;
  /** Answers whose context belongs before the next turn. */
  incoming: Promise<Outcome>[];
  /** Context that came after a compaction and still waits for a message to stand in. */
  restored: string[];
  /** The prompt of the turn being prepared: OMP may prepare one several times, and a second copy must not send it again. */
  prompted: string | null;
  typed: string | null;
  /** OMP announced that it goes on by itself: the next prompt is its own, unless its message turns out to be the person's. */
  continues: boolean;
  doubtful: string | null;
  /** A slash command may become a prompt; only then it is a message. */
  command: boolean;
  /** The one owned assessment of an ending. */
  ending: Assessment | null;
  /** What was still waiting when an ending was last refused for it, until a tool ran or the person wrote. */
  unfinished: readonly string[] | null;
  textGate: TextGate | null;
  cut: Cut | null;
  /** The streamed message whose first words were looked at already. */
  looked: boolean;
  compacting: AbortSignal | null;
  /** OMP compacts, and hears nothing of a run that begins meanwhile: such a run's ending would not be gated. */
  inCompaction: boolean;
  /** This run was started by a refused ending. */
  continuing: boolean;
  /** OMP asked in this run whether it may end. */
  asked: boolean;
}

export function newSession(owner: { session: string; agentId: string | null }, pi: Host): Session {
  const counts = { generation: 0, turn: 0, runs: 0 };
  const kept = { open: new Map(), admitted: new Map(), incoming: [], restored: [] };
  const heard = { streamed: null, prompted: null, typed: null, continues: false, doubtful: null, command: false };
  const gates = { ending: null, unfinished: null, textGate: null, cut: null, looked: false, compacting: null };
  const run = { continuing: false, asked: false, inCompaction: false, moved: false };
  return { ...owner, pi, ...counts, ...kept, ...heard, ...gates, ...run };
}

/** What every event of a session carries (contract 2). */
export function commonFields(session: Session, context: Context): Fields {
  const { agentId, generation } = session;
  return {
    session: session.session,
    ...(agentId === null ? { agent: "main" } : { agent: "sub", agentId }),
    cwd: context.cwd,
    transcript: context.sessionManager.getSessionFile() ?? null,
    window: hasWindow(context),
    generation,
  };
}

/** Gives up what is still being decided for a session. A compaction may come beside a run, so it leaves the run's calls alone. */
export function giveUp(shared: Shared, session: Session, reason: Reason): void {
  for (const [id, call] of session.open) if (call === "" || reason.by !== "compaction") shared.core.cancel(id, reason);
  session.ending?.giveUp(reason);
}

/** The sessions of this process, by their own ids. */
export class Sessions {
  readonly #byId = new Map<string, Session>();
  readonly #byFile = new Map<string, Session>();
  main: Session | null = null;

  of(pi: Host, context: Context): Session {
    const own = context.sessionManager.getSessionId();
    const known = this.#byId.get(own);
    if (known !== undefined) return known;
    const file = context.sessionManager.getSessionFile() ?? null;
    const made = newSession(this.#owner(pi, context, own, file), pi);
    this.#byId.set(own, made);
    if (file !== null) this.#byFile.set(file, made);
    return made;
  }

  /**
   * OMP does not say that a session is a subagent's. Its transcript lies in the folder named like its parent's transcript; where nothing
   * is kept on disk, only a subagent has the `yield` tool. A fork names a parent too, but lies beside it.
   */
  #owner(pi: Host, context: Context, own: string, file: string | null): { session: string; agentId: string | null } {
    const parent = field(context.sessionManager.getHeader?.(), "parentSession");
    if (file !== null && parent === `${dirname(file)}.jsonl`) {
      const above = this.#byFile.get(parent);
      const name = basename(file, ".jsonl");
      const session = above?.session ?? basename(parent, ".jsonl").replace(/^.*_/, "");
      return { session, agentId: above?.agentId == null ? name : `${above.agentId}/${name}` };
    }
    if (context.mode !== "print" || this.main === null) return { session: own, agentId: null };
    const isSub = listOf(pi.getActiveTools?.()).includes("yield");
    return isSub ? { session: this.main.session, agentId: own } : { session: own, agentId: null };
  }
}
