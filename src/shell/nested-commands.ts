/** Commands that stand inside the words of another command: `bash -c`, `eval`, `trap`, `find -exec`, `fd -x`. */
import { isLiteral } from "./shell-words.ts";
import { programBasename } from "./wrappers.ts";

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash"]);
const SHELL_VALUED = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);
const FIND_EXEC = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const FD_EXEC = new Set(["-x", "--exec", "-X", "--exec-batch"]);

/** The shell line these words run in this shell or a new one, when it is literal; null when they run none. */
export function shellScript(words: readonly string[]): string | null {
  const program = programBasename(words[0] ?? "");
  if (SHELLS.has(program)) return literal(optionScript(words));
  if (program === "eval" && words.length > 1) return literal(words.slice(1).join(" "));
  if (program === "trap" && words.length > 2 && !(words[1] ?? "-").startsWith("-")) return literal(words[1] ?? null);
  return null;
}

/** The commands that `find -exec … \;` and `fd -x …` run, each as words with the program first. */
export function nestedCommands(words: readonly string[]): readonly (readonly string[])[] {
  const program = programBasename(words[0] ?? "");
  if (program === "find" || program === "gfind") return findCommands(words);
  if (program === "fd" || program === "fdfind") {
    const at = words.findIndex((word) => FD_EXEC.has(word));
    return at === -1 || at === words.length - 1 ? [] : [words.slice(at + 1)];
  }
  return [];
}

function findCommands(words: readonly string[]): readonly (readonly string[])[] {
  const commands: (readonly string[])[] = [];
  for (let at = 1; at < words.length; at++) {
    if (!FIND_EXEC.has(words[at] ?? "")) continue;
    let end = at + 1;
    while (end < words.length && words[end] !== ";" && words[end] !== "+") end++;
    if (end > at + 1) commands.push(words.slice(at + 1, end));
    at = end;
  }
  return commands;
}

/** The argument of `-c`, also in `-lc`: the first word behind the options that is none itself. */
function optionScript(words: readonly string[]): string | null {
  let reads = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--command" || word === "-c") reads = true;
    else if (word.startsWith("--command=")) return word.slice("--command=".length);
    else if (SHELL_VALUED.has(word)) at++;
    else if (/^-[A-Za-z]+$/.test(word)) reads ||= word.includes("c");
    else if (!/^[-+]/.test(word)) return reads ? word : null;
  }
  return null;
}

function literal(line: string | null): string | null {
  return line !== null && isLiteral(line) ? line : null;
}
