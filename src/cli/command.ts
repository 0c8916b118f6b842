import type { ArgsDef } from "citty";
import type { Clock } from "../base/clock.ts";
import type { Home } from "../disk/home.ts";

/** What main.ts hands every command: the only way to the world outside. */
export interface Context {
  readonly home: Home;
  readonly userHome: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The words that start this very program. */
  readonly program: readonly string[];
  readonly clock: Clock;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Aborts on SIGTERM, SIGINT and SIGHUP; reading it is what makes the process listen for them. */
  readonly stopped: AbortSignal;
  /** Whether a person sees stdout and wants colour. */
  readonly colour: () => Promise<boolean>;
}

/** Parsed flags and words; a flag that was not given is undefined. */
export interface Given {
  readonly text: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
  readonly words: readonly string[];
  /** What stands behind `--`, for a command that takes another one; else empty. */
  readonly command: readonly string[];
}

/**
 * One command. `args` is citty's shape, so citty parses it; help is written from the same data. `run` returns the exit code: 0 done, 1
 * refused or failed, 2 usage, 70 infrastructure.
 */
export interface Command {
  readonly usage: string;
  readonly about: string;
  /** A command line to begin from, as a person would type it; tests run each. */
  readonly example?: string;
  readonly args: ArgsDef;
  /** Behind the first `--` stands another command, whose words are left as they are. */
  readonly takesCommand?: true;
  readonly run: (context: Context, given: Given) => Promise<number>;
}
