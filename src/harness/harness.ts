import type { Result } from "../base/result.ts";

/**
 * What every harness room gives the rest of the house: how Tama is put into that harness and taken out again. Planning reads and decides;
 * only `applyPlan` writes. So one plan can be printed as a diff, applied, or thrown away.
 */
export interface Harness {
  /** The word of `tama install <name>` and `tama run-hook <name>`. */
  readonly name: string;
  /** What installing would change. Empty when everything stands already. */
  readonly planInstall: (machine: Machine) => Promise<Result<InstallPlan>>;
  /** What taking Tama out would change: its own files and entries, nothing else. */
  readonly planUninstall: (machine: Machine) => Promise<Result<InstallPlan>>;
}

/** What a harness may know of the machine while it plans; `main.ts` knows where each value comes from. */
export interface Machine {
  /** Absolute path of the Tama binary that the harness is to start. */
  readonly binary: string;
  readonly release: string;
  /** The person's home folder, absolute. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The absolute path of a program on PATH, or null when there is none. */
  readonly which: (program: string) => string | null;
  /**
   * Runs a program to its end. A program that cannot be started is a failure; one that exits with an error is not. Past `withinMs` it is
   * ended with all it started.
   */
  readonly run: (command: readonly string[], withinMs?: number) => Promise<Result<Ended>>;
  /** The text of a file, through symbolic links, or null when there is none. */
  readonly read: (path: string) => Result<string | null>;
  /** The person asked that a harness's own review of its hooks be written too (`--trust`). */
  readonly trust?: boolean;
  /** The folder the person stands in, where its own settings count. */
  readonly folder?: string;
}

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface InstallPlan {
  readonly harness: string;
  /** Only files whose text differs. */
  readonly changes: readonly FileChange[];
  /** What the person must know or do besides, one sentence each. */
  readonly notes: readonly string[];
}

/** One file's text before and after; null = it is not there. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Permissions of a file that is new; one that is there keeps its own. Absent = 0600. */
  readonly mode?: number;
  /** Folders to remove after the file where they are empty then, innermost first: those that an installation made itself. */
  readonly emptied?: readonly string[];
}
