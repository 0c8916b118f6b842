/** Commands that stand inside the words of another command: `bash -c`, `eval`, `trap`, `find -exec`, `fd -x`, `strace`. */
import { isLiteral, NOT_LITERAL } from "./shell-words.ts";
import { behind, programBasename, type Wrapper } from "./wrappers.ts";

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

/** The words behind the line of `sh -c`, which are its `$0`, `$1` …; none of `eval`, which runs in this very shell. */
export function behindScript(words: readonly string[]): readonly string[] {
  if (!SHELLS.has(programBasename(words[0] ?? ""))) return [];
  const script = optionScript(words);
  return script === null ? [] : words.slice(words.indexOf(script) + 1);
}

/** Whether these words start a shell that runs what stands on its input: `bash`, `sh -s a b`, `bash -x -`; `at` lets one do so later. */
export function readsItsInput(words: readonly string[]): boolean {
  if (/^(?:at|batch)$/.test(programBasename(words[0] ?? ""))) return true;
  if (words[0] === "." || words[0] === "source") return words[1] === "/dev/stdin";
  if (!SHELLS.has(programBasename(words[0] ?? ""))) return false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "-" || word === "/dev/stdin" || /^-[A-Za-z]*s/.test(word)) return true;
    if (takesNext(word)) at++;
    else if (!/^[-+]/.test(word)) return false;
  }
  return true;
}

/**
 * Programs that run the command behind their own words and do something of their own besides: they stay in the list, with what they run
 * beside them. A wrapper (wrappers.ts) leaves nothing of itself.
 */
const RUNNERS: Readonly<Record<string, Wrapper>> = {
  flock: { valued: "-w --timeout -E --conflict-exit-code", operands: 1, script: "-c --command" },
  script: { valued: "-I -O -B -T -E -m -o -t --log-in --log-out --log-io", operands: 1, script: "-c --command" },
  strace: { valued: "-e -o -p -s -u -a -E -I -O -S -P -b -X -n -l -A -D" },
  ltrace: { valued: "-e -o -p -s -u -a -n -l -A -D -x -F" },
  "systemd-run": { valued: "-u --unit -p --property -E --setenv -M -H --slice --description --working-directory" },
  "systemd-inhibit": { valued: "--what --who --why --mode" },
  hyperfine: { valued: "-w -r -m -M -S --warmup --runs --export-json --export-markdown", joined: true },
  parallel: { valued: "-j --jobs -a --arg-file -S --colsep --delay --retries --joblog --results", appends: true },
  entr: {},
  screen: { valued: "-S -c -e -h -p -s -t -T -X -L -U" },
  rlwrap: { valued: "-a -b -f -H -s" },
  "xvfb-run": { valued: "-n -s -e -f -p -w" },
  unshare: { valued: "-S --setuid -G --setgid -R --root -w --wd" },
  setarch: { operands: 1 },
  prlimit: {},
  fakeroot: { valued: "-l -s -i" },
  proxychains4: { valued: "-f" },
  torsocks: {},
};

/** The commands that `find -exec … \;`, `fd -x …` and such runners run, each as words with the program first. */
export function nestedCommands(words: readonly string[]): readonly (readonly string[])[] {
  const program = programBasename(words[0] ?? "");
  if (program === "find" || program === "gfind") return findCommands(words);
  if (program === "fd" || program === "fdfind") {
    const at = words.findIndex((word) => FD_EXEC.has(word));
    return at === -1 || at === words.length - 1 ? [] : [words.slice(at + 1)];
  }
  if (program === "tmux") return tmuxCommands(words);
  const runner = Object.hasOwn(RUNNERS, program) ? RUNNERS[program] : undefined;
  const run = runner === undefined ? null : behind(words, runner);
  if (run === null) return [];
  if (run.script !== null) return [["sh", "-c", run.script]];
  // GNU parallel: behind this mark stand the values of its command's last word.
  const at = run.words.findIndex((word) => /^:{3,4}\+?$/.test(word));
  const command = run.words.slice(0, at);
  // The last word stands for what it reads besides.
  const values = run.words.slice(at + 1, -1);
  if (at === -1) return [run.words];
  if (values.length > VALUES_MAX || values.some((word) => word.startsWith(":::"))) return [[...command, NOT_LITERAL]];
  const holds = command.some((word) => word.includes("{}"));
  return values.map((value) => (holds ? command.map((word) => word.replaceAll("{}", value)) : [...command, value]));
}

const VALUES_MAX = 16;

/** What tmux starts in a window is a line of its own; what it types there is one in the end. */
function tmuxCommands(words: readonly string[]): readonly (readonly string[])[] {
  const typed = words.findIndex((word) => /^send(?:-keys)?$/.test(word));
  const lines = typed === -1 ? words.slice(1) : words.slice(typed + 1);
  return lines.filter((word) => /\s/.test(word) && isLiteral(word)).map((line) => ["sh", "-c", line]);
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
    else if (/^[-+][A-Za-z]/.test(word)) {
      reads ||= /^-[A-Za-z]+$/.test(word) && word.includes("c");
      if (takesNext(word)) at++;
    } else if (takesNext(word)) at++;
    else if (!/^[-+]/.test(word)) return reads ? word : null;
  }
  return null;
}

/** `-o` names an option of the shell in the next word, also as a letter among others: `-euo pipefail`, and before the line: `-co`. */
function takesNext(word: string): boolean {
  return SHELL_VALUED.has(word) || /^[-+][A-Za-z]*[oO][A-Za-z]*$/.test(word);
}

function literal(line: string | null): string | null {
  return line !== null && isLiteral(line) ? line : null;
}
