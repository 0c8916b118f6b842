import { chmodSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import { causeOf, done, failed, type Result } from "../base/result.ts";
import { sessionFileName } from "./names.ts";

/** The folders and files of TAMA_HOME (contract 5). Building a path touches nothing. */
export interface Home {
  readonly root: string;
  readonly registry: string;
  readonly settings: string;
  readonly inFlight: string;
  readonly inspectionLock: string;
  readonly judgements: string;
  readonly sessions: string;
  readonly log: string;
  readonly failedCalls: (session: string, agentId: string | null) => string;
  readonly startedCalls: (session: string, agentId: string | null) => string;
  readonly sessionRecord: (session: string, agentId: string | null) => string;
  readonly sessionLog: (session: string, agentId: string | null) => string;
  readonly grants: (session: string) => string;
  /** How far a transcript was read: a cache. */
  readonly transcriptIndex: (session: string, agentId: string | null) => string;
  /** The shell lines a session ran: a cache beside it. */
  readonly ranLines: (session: string, agentId: string | null) => string;
  /** Broken lines of a transcript that the operator accepted. */
  readonly acceptedLines: (session: string, agentId: string | null) => string;
  /** What a session last saw of the commands it waits for. */
  readonly waits: (session: string, agentId: string | null) => string;
  /** The operator's own words that an ending must hold, in place of Tama's. */
  readonly attestation: string;
}

/** `root` is absolute and has no slash at its end, so a slash joins; the general way costs the start of every command a tenth of a millisecond. */
export function homeAt(root: string): Home {
  const of = (folder: string, ending: string) => (session: string, agentId: string | null) =>
    `${root}/${folder}/${sessionFileName(session, agentId)}.${ending}`;
  const control = (kind: string) => (session: string, agentId: string | null) =>
    `${root}/control/${kind}.${sessionFileName(session, agentId)}.json`;
  return {
    root,
    registry: `${root}/registry.json`,
    settings: `${root}/settings.json`,
    inFlight: `${root}/in-flight`,
    inspectionLock: `${root}/ownership-inspection.lock`,
    judgements: `${root}/judgements`,
    sessions: `${root}/sessions`,
    log: `${root}/log`,
    failedCalls: of("failed-calls", "json"),
    startedCalls: of("started-calls", "json"),
    sessionRecord: of("sessions", "json"),
    sessionLog: of("log", "jsonl"),
    grants: (session) => control("grants")(session, null),
    transcriptIndex: of("transcripts", "json"),
    ranLines: of("transcripts/ran-lines", "json"),
    acceptedLines: control("transcript"),
    waits: control("waits"),
    attestation: `${root}/attestation.md`,
  };
}

/** Makes the folders, private to their owner. A home that is a link or another user's is refused; one open to others is closed. */
export function prepareHome(home: Home): Result<void> {
  try {
    makePrivate(home.root, true);
    for (const folder of [
      "failed-calls",
      "started-calls",
      "sessions",
      "log",
      "control",
      "in-flight",
      "transcripts",
      "transcripts/ran-lines",
    ])
      makePrivate(`${home.root}/${folder}`, false);
    return done(undefined);
  } catch (thrown) {
    return failed(`cannot use TAMA_HOME ${home.root}: ${causeOf(thrown)}`);
  }
}

/** Why this home is none to work in, and which of its folders it is that must go; null where it is one, or is not there. */
export function unfitHome(home: Home): { readonly path: string; readonly cause: string } | null {
  for (const path of [home.root, home.inFlight]) {
    const wrong = wrongFolder(path);
    if (wrong !== null) return { path, cause: `cannot use TAMA_HOME ${home.root}: ${wrong}` };
  }
  return null;
}

function wrongFolder(folder: string): string | null {
  let about: Stats;
  try {
    about = lstatSync(folder);
  } catch {
    return null;
  }
  if (about.isSymbolicLink()) return `${folder} is a symbolic link`;
  if (!about.isDirectory()) return `${folder} is no folder`;
  return process.getuid !== undefined && about.uid !== process.getuid() ? `${folder} belongs to another user` : null;
}

function makePrivate(folder: string, parents: boolean): void {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: parents });
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST")) throw thrown;
  }
  const wrong = wrongFolder(folder);
  if (wrong !== null) throw new Error(wrong);
  if ((lstatSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
