import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { newestFiles } from "../disk/newest-files.ts";
import type { Lifted } from "../words/kept-calls.ts";

/** What one agent of a session had changed or heard last, from a time on. */
export interface LiftedAt {
  /** ISO 8601. */
  readonly at: string;
  readonly lifted: Lifted;
}

/**
 * What the other agents of a finished session did. Live all of them write the repeat rule's records; a replay plays each file by itself, so
 * the files beside it are played through the same rule first, once, and only when something is about to be refused.
 */
export interface ChangesBeside {
  /** Reads the others' files. @returns whether there are any */
  readonly load: () => Promise<boolean>;
  /** What each of them had changed or heard last by a time, as far as they are read. */
  readonly by: (time: string) => readonly Lifted[];
}

export function changesBeside(path: string, play: (path: string) => Promise<readonly LiftedAt[]>): ChangesBeside {
  let others: readonly (readonly LiftedAt[])[] = [];
  let loading: Promise<void> | null = null;
  const readAll = async (): Promise<void> => {
    const read: (readonly LiftedAt[])[] = [];
    for (const file of filesBeside(path)) read.push(await play(file));
    others = read.filter((lifts) => lifts.length > 0);
  };
  return {
    load: async () => {
      loading ??= readAll();
      await loading;
      return others.length > 0;
    },
    by: (time) =>
      others.flatMap((lifts) => {
        const last = lifts.findLast(({ at }) => at <= time);
        return last === undefined ? [] : [last.lifted];
      }),
  };
}

/** The transcripts of one session's other agents: OMP and Claude Code keep a subagent's below a folder named like the session's own file. */
export function filesBeside(path: string): readonly string[] {
  const folder = sessionsFolder(path);
  const below = newestFiles(folder, ".jsonl", Number.POSITIVE_INFINITY).map((file) => file.path);
  const main = `${folder}.jsonl`;
  return [...(existsSync(main) ? [main] : []), ...below].filter((file) => file !== path);
}

/** Where the main agent's own file is missing, Claude Code's name of the folder still tells. */
function sessionsFolder(path: string): string {
  const [session, ...below] = path.split("/subagents/");
  if (session !== undefined && below.length > 0) return session;
  const folder = dirname(path);
  const ofMain = [folder, dirname(folder)].findLast((one) => existsSync(`${one}.jsonl`));
  return ofMain ?? path.replace(/\.jsonl$/, "");
}
