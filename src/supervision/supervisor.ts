import * as v from "valibot";
import { every } from "../base/clock.ts";
import { type BirthId, newBirthId } from "../base/ids.ts";
import { lineBytesMax } from "../base/limits.ts";
import { LineCutter } from "../base/lines.ts";
import type { Result } from "../base/result.ts";
import type { Adoption } from "../process/adopted.ts";
import type { Incarnation } from "../process/identity.ts";
import { platform } from "../process/platform.ts";
import { endGroup } from "../process/signal.ts";
import { type StartedLeader, startLeader } from "../process/start.ts";
import { type Assignment, type SupervisorLine, supervisorLineSchema } from "../words/supervised.ts";
import { removeBirth } from "./birth.ts";

/** How the core starts supervisors: its own program, its own incarnation, and where births are recorded. */
export interface Nursery {
  readonly program: readonly string[];
  readonly inFlight: string;
  readonly core: Incarnation;
  /** To the core come the orphans of supervisors that are gone. */
  readonly adoption: Adoption;
  /** Already scrubbed; the birth tag is added for each supervisor. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The core's side of one supervisor. */
export interface Supervisor {
  readonly birth: BirthId;
  /** Hands over the one hook. It may be called before the birth is known: the supervisor reads it only after its birth. */
  readonly assign: (assignment: Assignment) => void;
  /** How the hook ended, or null when the supervisor died without saying. */
  readonly outcome: Promise<SupervisorLine | null>;
  readonly onProgress: (listen: (line: string) => void) => void;
  /** Ends the group and all that left it, and removes the record. Settles when the supervisor is gone. */
  readonly end: () => Promise<void>;
}

export function startSupervisor(nursery: Nursery): Result<Supervisor> {
  const birth = newBirthId();
  const [program = "", ...words] = nursery.program;
  // The same release as this core, also when an upgrade has replaced the file since: the two speak a private protocol.
  const started = startLeader({
    shownAs: program,
    command: [
      platform.sameProgram(program),
      ...words,
      "owned-hook",
      birth,
      nursery.inFlight,
      String(nursery.core.pid),
      nursery.core.start ?? "-",
    ],
    environment: { ...nursery.environment, TAMA_BIRTH: birth },
  });
  return started.ok ? { ok: true, value: supervise(birth, nursery, started.value) } : started;
}

function supervise(birth: BirthId, nursery: Nursery, leader: StartedLeader): Supervisor {
  let listener: (line: string) => void = () => {};
  const outcome = lastWord(leader);
  forwardLines(leader.errors, (line) => listener(line)).catch(() => {});
  let ending: Promise<void> | null = null;
  return {
    birth,
    assign: (assignment) => leader.write(`${JSON.stringify(assignment)}\n`),
    outcome,
    onProgress: (listen) => {
      listener = listen;
    },
    end: () => {
      ending ??= endSupervisor(leader, outcome, nursery.adoption).then((word) =>
        removeBirth(nursery.inFlight, birth, word !== null),
      );
      return ending;
    },
  };
}

/**
 * The group is killed while its leader is uncollected, then the channel closed, which ends what is left of a group whose leader died first.
 * Once the leader is collected its orphans are ours. A supervisor that said how its hook ended has ended the strays itself, so only
 * what died with it is collected; after any other end, what had left the group is ended here.
 */
async function endSupervisor(
  leader: StartedLeader,
  outcome: Promise<SupervisorLine | null>,
  adoption: Adoption,
): Promise<SupervisorLine | null> {
  endGroup(leader.pid);
  leader.closeChannel();
  await leader.ended;
  const word = await outcome;
  if (word?.says === "ended" && word.left !== true) await adoption.collectGroup(leader.pid);
  else await adoption.endStrangers();
  return word;
}

/**
 * The last word, or null once the supervisor is gone. Its pipe normally ends with it; where somebody strange holds the pipe open, what
 * it wrote has been read by the second look after its death.
 */
function lastWord(leader: StartedLeader): Promise<SupervisorLine | null> {
  const { promise, resolve } = Promise.withResolvers<SupervisorLine | null>();
  let settled = false;
  const settle = (word: SupervisorLine | null): void => {
    settled = true;
    resolve(word);
  };
  listen(leader).then(settle, () => settle(null));
  void leader.ended.then(() => {
    if (settled) return;
    let looks = 0;
    const stop = every(lookMs, () => {
      if (!settled && ++looks < 2) return;
      stop();
      if (!settled) settle(null);
    });
  });
  return promise;
}

const lookMs = 50;

/** The supervisor's last word: born is only a step, everything else ends the wait. A death without a word is null. */
async function listen(leader: StartedLeader): Promise<SupervisorLine | null> {
  const lines = new LineCutter(2 * lineBytesMax);
  for await (const chunk of leader.output) {
    for (const line of lines.push(chunk)) {
      const word = line === null ? null : parseWord(line.toString());
      if (word !== null && word.says !== "born") return word;
    }
  }
  return null;
}

function parseWord(line: string): SupervisorLine | null {
  try {
    const value: unknown = JSON.parse(line);
    const parsed = v.safeParse(supervisorLineSchema, value);
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

async function forwardLines(pipe: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const lines = new LineCutter(lineBytesMax);
  for await (const chunk of pipe) for (const line of lines.push(chunk)) if (line !== null) onLine(line.toString());
}
