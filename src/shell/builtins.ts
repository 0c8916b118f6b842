/** What shells do themselves, so that no program of the name need be there: every POSIX shell's, then bash's and zsh's own. */
const BUILTINS: ReadonlySet<string> = new Set(
  "builtin declare dirs disown history let local logout mapfile popd pushd readarray setopt shopt time typeset unsetopt . : [ alias bg break cd command continue echo eval exec exit export false fg hash jobs kill printf pwd read readonly return set shift source test times trap true type ulimit umask unalias unset wait".split(
    " ",
  ),
);

export function isShellBuiltin(program: string): boolean {
  return BUILTINS.has(program) || program === "[[" || program === "((";
}
