/** What every POSIX shell does itself, so that no program of the name need be there. */
const BUILTINS: ReadonlySet<string> = new Set(
  ". : [ alias bg break cd command continue echo eval exec exit export false fg hash jobs kill printf pwd read readonly return set shift source test times trap true type ulimit umask unalias unset wait".split(
    " ",
  ),
);

export function isShellBuiltin(program: string): boolean {
  return BUILTINS.has(program) || program === "[[" || program === "((";
}
