/** One command of a shell line, as `simpleCommands` finds it. */
export interface SimpleCommand {
  /** The program as written, after assignments and wrappers; "" for a bare redirection. */
  readonly program: string;
  /** The program and its words. What only the running shell knows is NOT_LITERAL ("\0") inside its word. */
  readonly words: readonly string[];
  readonly redirectsToFile: boolean;
  /** The files its redirections write, as words. */
  readonly targets: readonly string[];
  /** It runs while the shell goes on (`&`, `coproc`). */
  readonly background: boolean;
  /** It stands in a command or process substitution, or one of its words holds one. */
  readonly substituted: boolean;
  /** It gets its input from an earlier stage of a pipeline. */
  readonly fed: boolean;
  /** Wrappers it was taken out of, outermost first: `env`, `sudo`, `timeout`, `tama` (for `tama wait … --`) … */
  readonly wrappers: readonly string[];
  /** Variables set for it alone, as `NAME=value` (`A=1 prog`, `env A=1 prog`). */
  readonly assigned: readonly string[];
  /** The folder a wrapper starts it in (`env -C DIR`); null where none does. */
  readonly folder: string | null;
  /** The shells it runs in, outermost first, numbered in the line: what `cd` does in one stays there. */
  readonly shells: readonly number[];
}
