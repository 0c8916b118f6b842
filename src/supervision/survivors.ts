import { realpathSync } from "node:fs";
import { stillRuns } from "../process/identity.ts";
import { type Process, platform } from "../process/platform.ts";
import type { Birth } from "../words/records.ts";

/** One living process that is positively known to belong to a hook. */
export interface Descendant {
  readonly pid: number;
  readonly start: string;
  readonly command: string;
}

/** The processes as they were at one look; taken on first use, since most inspections need none. */
export interface Survey {
  /**
   * Everything a birth's hook runs, without the supervisor itself. While the supervisor lives it is the subreaper of all of it, so its
   * tree is the answer; once it is gone, what carries its birth tag or still holds its record's lock. Nothing is told from a number alone.
   * Empty where the kernel shows no processes.
   */
  readonly descendants: (birth: Birth, record: string) => readonly Descendant[];
}

export function surveyProcesses(): Survey {
  let all: readonly Process[] | undefined;
  let tags: ReadonlyMap<string, readonly Process[]> | undefined;
  const living = (): readonly Process[] => {
    all ??= (platform.processes() ?? []).filter((one) => !one.ended);
    return all;
  };
  const tagged = (birth: string): readonly Process[] => {
    tags ??= Map.groupBy(living(), (one) => platform.birthTagOf(one.pid) ?? "");
    return tags.get(birth) ?? [];
  };
  return {
    descendants: (birth, record) => {
      const own = new Map(tagged(birth.hookBirthIdentity).map((one) => [one.pid, one]));
      const more = supervisorRuns(birth) ? treeBelow(birth.pid, living()) : holdersOf(record, living());
      for (const one of more) own.set(one.pid, one);
      own.delete(birth.pid);
      return [...own.values()].map(({ pid, start, command }) => ({ pid, start, command }));
    },
  };
}

function supervisorRuns(birth: Birth): boolean {
  return stillRuns({ pid: birth.pid, start: birth.start }) === true;
}

function treeBelow(pid: number, all: readonly Process[]): readonly Process[] {
  const children = all.filter((one) => one.parent === pid);
  return children.flatMap((one) => [one, ...treeBelow(one.pid, all)]);
}

function holdersOf(record: string, all: readonly Process[]): readonly Process[] {
  const path = realPath(record);
  return path === null ? [] : all.filter((one) => one.pid !== process.pid && platform.holdsLock(one.pid, path));
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
