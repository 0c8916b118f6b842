import { availableParallelism } from "node:os";
import { lineBytesMax } from "../base/limits.ts";
import { LineCutter } from "../base/lines.ts";
import type { FoundFile } from "../disk/newest-files.ts";
import type { FactSources } from "../facts/load-facts.ts";
import { scrubbed } from "../process/environment.ts";
import { compilingLittle } from "../process/long-lived.ts";
import { type Started, startInGroup } from "../process/start.ts";
import { gatesAsked } from "./gates-asked.ts";
import type { PartSaid } from "./part.ts";
import { playSession } from "./play-session.ts";
import type { SessionReplay } from "./session-replay.ts";

/**
 * Plays many transcripts with every core: processes of this same program, each taking the next file when it has done one. Processes, not
 * threads: a session's text is garbage at once, and a collector of its own for each does not stop the other (and a compiled binary needs
 * no second entry point for them). A few small files are played here: a process costs more than they do.
 */
export interface PlayAllRequest {
  readonly files: readonly FoundFile[];
  readonly harness: string;
  readonly gates: readonly string[];
  readonly sources: FactSources;
  /** The words that start this program again. */
  readonly program: readonly string[];
  readonly stopped: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly bytes: number;
  readonly sessions: number;
  readonly refusals: number;
}

/** In the order of the files. Files not reached before `stopped` are left out. */
export async function playAll(request: PlayAllRequest): Promise<readonly SessionReplay[]> {
  const whole = request.files.reduce((sum, file) => sum + file.bytes, 0);
  const processes = whole < worthAProcess ? 0 : Math.min(availableParallelism(), request.files.length);
  const board = openBoard(request);
  if (processes < 2) await playHere(request, board);
  else await Promise.all(Array.from({ length: processes }, () => playThere(request, board)));
  return board.sessions();
}

/** Starting a process costs as long as reading about this much. */
const worthAProcess = 8 * 1024 * 1024;

interface Board {
  readonly next: () => FoundFile | undefined;
  readonly read: (file: FoundFile, bytes: number) => void;
  readonly done: (file: FoundFile, session: SessionReplay) => void;
  readonly sessions: () => readonly SessionReplay[];
}

function openBoard({ files, stopped, onProgress }: PlayAllRequest): Board {
  const sessions = new Map<FoundFile, SessionReplay>();
  const under = new Map<FoundFile, number>();
  let at = 0;
  let bytes = 0;
  let refusals = 0;
  const tell = (): void => {
    const open = [...under.values()].reduce((sum, one) => sum + one, 0);
    onProgress({ bytes: bytes + open, sessions: sessions.size, refusals });
  };
  return {
    next: () => (stopped.aborted ? undefined : files[at++]),
    read: (file, read) => {
      under.set(file, read);
      tell();
    },
    done: (file, session) => {
      under.delete(file);
      bytes += session.bytes;
      refusals += session.refusals.length;
      sessions.set(file, session);
      tell();
    },
    sessions: () => files.flatMap((file) => sessions.get(file) ?? []),
  };
}

async function playHere(request: PlayAllRequest, board: Board): Promise<void> {
  const gates = await gatesAsked(request.gates);
  for (let file = board.next(); file !== undefined; file = board.next()) {
    const playing = file;
    const { path } = playing;
    const onRead = (bytes: number): void => board.read(playing, bytes);
    const { harness, sources } = request;
    board.done(playing, await playSession({ path, harness, gates, sources, onRead }));
  }
}

/** One process after another: one that dies costs the file it was at. */
async function playThere(request: PlayAllRequest, board: Board): Promise<void> {
  const left: FoundFile[] = [];
  const next = (): FoundFile | undefined => left.shift() ?? board.next();
  for (let file = next(); file !== undefined; file = next()) {
    const part = startInGroup(
      {
        command: [...request.program, "replay-part", "--gates", request.gates.join(",")],
        environment: { ...scrubbed(request.sources.environment), ...compilingLittle },
      },
      [],
    );
    if (part.ok) left.push(...(await playIn(part.value, request, { ...board, next }, file)));
    else board.done(file, lost(file, part.cause));
  }
}

/** Feeds a process until there is no file left or it dies; gives the files that it was given and had not begun. */
async function playIn(
  part: Started,
  request: PlayAllRequest,
  board: Board,
  first: FoundFile,
): Promise<readonly FoundFile[]> {
  const given: FoundFile[] = [];
  const errors = new Response(part.errors).text();
  const give = (file: FoundFile): void => {
    given.push(file);
    part.write(`${JSON.stringify({ path: file.path, harness: request.harness })}\n`);
  };
  const giveMore = (): void => {
    while (given.length < 2 && (given[0]?.bytes ?? 0) < soonPlayed) {
      const file = board.next();
      if (file === undefined) {
        part.endInput();
        return;
      }
      give(file);
    }
  };
  give(first);
  giveMore();
  const lines = new LineCutter(lineBytesMax);
  for await (const chunk of part.output) {
    for (const line of lines.push(chunk)) {
      const file = given[0];
      if (line === null || file === undefined) continue;
      const said = JSON.parse(line.toString()) as PartSaid;
      if ("read" in said) board.read(file, said.read);
      else {
        board.done(file, said.session);
        given.shift();
        giveMore();
      }
    }
  }
  const ending = await part.ended;
  const [at, ...left] = given;
  if (at === undefined) return left;
  const how = ending.kind === "signal" ? ending.signal : `exit ${ending.code}`;
  board.done(at, lost(at, `the process that played it ended early (${how}) ${(await errors).trim()}`.trim()));
  return left;
}

/** A file of fewer bytes is played so soon that its process is given the next one beside it, and does not wait for that. */
const soonPlayed = 4 * 1024 * 1024;

function lost(file: FoundFile, cause: string): SessionReplay {
  const nothing = { calls: 0, endings: 0, from: null, to: null, strip: "", refusals: [], bytes: 0, harness: "" };
  return { path: file.path, ...nothing, stopped: { byte: null, cause } };
}
