import type { Refusal } from "../../base/verdict.ts";
import { type SimpleCommand, simpleCommands } from "../../shell/simple-commands.ts";
import { programBasename } from "../../shell/wrappers.ts";

/**
 * Codex asks its hooks about a shell call once, when the program starts. What the model types into the terminal of a running program
 * afterwards (its tool `write_stdin`) reaches no hook. So a program that runs what is typed into it would be a door past every gate, and
 * starting one in a terminal is refused here. Without a terminal Codex closes the program's input (measured), and nothing can be typed.
 *
 * `terminal` is what the model asked for; null where Codex does not say, as in code mode: then the program alone is judged, and a line that
 * redirects an input is let go, since a program fed by `<<EOF` takes nothing typed.
 */
export function typedInputRefusal(line: string, terminal: boolean | null): Refusal | null {
  if (terminal === false || (terminal === null && line.includes("<"))) return null;
  const commands = simpleCommands(line);
  const found =
    commands === null
      ? terminal === true
        ? { program: "a line that cannot be parsed" }
        : null
      : commands.find(takesCommands);
  if (found === undefined || found === null) return null;
  const program = programBasename(found.program).replaceAll("\0", "…") || "this program";
  return {
    what: `this call would start ${program} in a terminal, where what is typed into it later (write_stdin) reaches no gate.`,
    why: "Codex asks about a program when it starts and never about its input, so a shell that stays open runs commands nobody judged.",
    instead:
      "Run each command in a shell call of its own, or hand the program what it is to run: bash -c '…', python3 - <<'EOF', psql -c '…', ssh host '…'.",
    evidence: line,
  };
}

/** By program: "alone" takes commands when it is given nothing to run; "always" does whatever its words are. */
const takers: Readonly<Record<"shells" | "interpreters" | "alone" | "always", ReadonlySet<string>>> = {
  shells: words("sh bash zsh dash ksh ash fish rbash csh tcsh nu elvish xonsh pwsh"),
  interpreters: words("python python2 python3 pypy pypy3 ipython node nodejs bun deno ruby perl lua php irb"),
  alone: words(
    "su sudo doas sqlite3 psql mysql mariadb redis-cli mongo mongosh ghci scala jshell julia R clojure erl iex swift",
  ),
  always: words(
    "script screen tmux expect vi vim nvim emacs nano ed ex gdb lldb ftp sftp telnet mosh top htop less more man",
  ),
};

/** Where a command to run stands in the words of these; without one they open a shell. */
const remote: ReadonlySet<string> = words("ssh docker podman kubectl nsenter chroot unshare");

function takesCommands(command: SimpleCommand): boolean {
  if (command.fed || command.background) return false;
  const program = programBasename(command.program);
  if (program.includes("\0")) return true;
  const rest = command.words.slice(1);
  if (takers.always.has(program)) return true;
  if (takers.shells.has(program))
    return !runsScript(rest) || rest.some((word) => /^-[a-z]*[is]/.test(word) && word !== "-s");
  if (takers.interpreters.has(program)) return rest.length === 0 || rest.includes("-i") || rest.every(isBareOption);
  if (takers.alone.has(program))
    return (
      rest.every((word) => word.startsWith("-") && !/^(-c|-e|-f|--command|--version)/.test(word)) || rest.includes("-i")
    );
  return remote.has(program) && opensRemoteShell(program, rest);
}

function runsScript(rest: readonly string[]): boolean {
  return rest.some(
    (word, at) =>
      (!word.startsWith("-") && !valued.has(rest[at - 1] ?? "")) ||
      /^-[a-z]*c$/.test(word) ||
      word === "--version" ||
      word === "--help",
  );
}

/** Options of a shell that take the next word. */
const valued = words("--rcfile --init-file -o -O");

/** An option that brings nothing to run with it. */
function isBareOption(word: string): boolean {
  return /^-(?!c$|m$|e$|p$|-?version$|-?help$|V$|h$|-eval)/.test(word);
}

function opensRemoteShell(program: string, rest: readonly string[]): boolean {
  const plain = rest.filter((word) => !word.startsWith("-"));
  if (program === "ssh") return plain.length <= 1 && !rest.includes("-V");
  const interactive = rest.some((word) => /^-[a-z]*[it]/.test(word) || word === "--tty" || word === "--interactive");
  if (program === "chroot" || program === "unshare" || program === "nsenter") return plain.length <= 1;
  return interactive && plain.some((word) => takers.shells.has(programBasename(word)));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
