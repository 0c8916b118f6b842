/**
 * Programs that run another command: which of their own words stand before it. Data and its one reader; the effects of
 * programs are in programs.ts.
 */

import { isLiteral, NOT_LITERAL } from "./shell-words.ts";

/** What was taken off the front of a command's words. */
export interface Unwrapped {
  /** The words of the command that is run, program first; never empty when the input was not. */
  readonly words: readonly string[];
  /** The wrappers taken off, outermost first. */
  readonly wrappers: readonly string[];
  /** Names of variables that `env`, `sudo` … set for it. */
  readonly assigned: readonly string[];
  /** A whole shell line the wrapper runs instead of words (`watch "a | b"`, `su -c`, `env -S`). */
  readonly script: string | null;
  /** The folder the innermost of them starts it in. */
  readonly folder: string | null;
}

/** Which words of a program stand before the command that it runs. */
export interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued?: string;
  /** Own words before the command, such as the seconds of `timeout`. */
  readonly operands?: number;
  /** `NAME=value` words may stand before the command. */
  readonly assigns?: boolean;
  /** The value of this option, one of the valued, is the folder the command starts in. */
  readonly folder?: string;
  /** With one of these the program does its own work and wraps nothing. */
  readonly own?: string;
  /** The value of this option is a shell line. */
  readonly script?: string;
  /** A single word with spaces in it is a shell line. */
  readonly joined?: boolean;
  /** More words, not known here, are put after the command's own, but where one of these options puts them in their place. */
  readonly appends?: boolean;
  readonly places?: string;
  /** The command stands after the word `--` only. */
  readonly afterDashes?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    valued: "-u --unset -C --chdir -P -a --argv0",
    assigns: true,
    script: "-S --split-string",
    folder: "-C --chdir",
  },
  sudo: {
    valued: "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T -D --chdir -R -U",
    assigns: true,
    folder: "-D --chdir",
    own: "-e --edit -l --list -v --validate -k -K -V --version",
  },
  doas: { valued: "-u -C -a", own: "-L" },
  nohup: {},
  setsid: {},
  time: { valued: "-f --format -o --output" },
  timeout: { valued: "-k --kill-after -s --signal", operands: 1 },
  gtimeout: { valued: "-k --kill-after -s --signal", operands: 1 },
  nice: { valued: "-n --adjustment" },
  ionice: { valued: "-c --class -n --classdata", own: "-p --pid" },
  chrt: { valued: "-T -P -D", operands: 1, own: "-p --pid -m --max" },
  taskset: { operands: 1, own: "-p --pid" },
  stdbuf: { valued: "-i --input -o --output -e --error" },
  unbuffer: {},
  chronic: {},
  caffeinate: { valued: "-t -w" },
  exec: { valued: "-a" },
  command: { own: "-v -V" },
  builtin: {},
  noglob: {},
  nocorrect: {},
  // fish puts a list together by words.
  and: {},
  or: {},
  not: {},
  busybox: { own: "--list --list-full --install --help" },
  xargs: {
    valued: "-a --arg-file -d --delimiter -E -I -J -L --max-lines -n --max-args -P --max-procs -R -S -s --max-chars",
    appends: true,
    places: "-I -J -i --replace",
  },
  watch: { valued: "-n --interval -q --equexit -s --shotsdir", joined: true },
  su: { valued: "-g --group -G --supp-group -s --shell -w", operands: 2, script: "-c --command" },
  tama: { afterDashes: true },
};

/** More wrappers than anybody writes: what is behind them is not looked at, and its program is not known. */
const WRAPPERS_MAX = 32;

/** Takes every wrapper off. `words` holds the program first; contents that are not literal hold NOT_LITERAL. */
export function unwrap(words: readonly string[]): Unwrapped {
  let rest = words;
  const wrappers: string[] = [];
  const assigned: string[] = [];
  let folder: string | null = null;
  for (;;) {
    const name = wrapperName(rest);
    const wrapper = WRAPPERS[name];
    if (wrappers.length > WRAPPERS_MAX) return { words: [NOT_LITERAL], wrappers, assigned, script: null, folder };
    if (wrapper === undefined) return { words: rest, wrappers, assigned, script: null, folder };
    const step = wrapper.afterDashes === true ? afterDashes(rest) : behind(rest, wrapper);
    if (step === null) return { words: rest, wrappers, assigned, script: null, folder };
    wrappers.push(name);
    assigned.push(...step.assigned);
    folder = step.folder ?? folder;
    if (step.script !== null) return { words: rest, wrappers, assigned, script: step.script, folder };
    rest = step.words;
  }
}

/** The name a program is known by here, its folder left out. */
export function programBasename(program: string): string {
  const name = program.slice(program.lastIndexOf("/") + 1);
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

function wrapperName(words: readonly string[]): string {
  const first = words[0];
  if (first === undefined) return "";
  const name = programBasename(first);
  return Object.hasOwn(WRAPPERS, name) ? name : "";
}

/** What stands behind a program's own words. */
export interface Step {
  readonly words: readonly string[];
  readonly assigned: readonly string[];
  readonly script: string | null;
  readonly folder: string | null;
}

const plain = { assigned: [], script: null, folder: null };

/**
 * `tama wait … -- COMMAND` is COMMAND for every gate; any other `tama` command is itself. As there (src/wait/), one word with
 * spaces in it is a shell line; one of which only the running shell knows all is no program that could be named.
 */
function afterDashes(words: readonly string[]): Step | null {
  const dashes = words.indexOf("--");
  if (words[1] !== "wait" || dashes === -1 || dashes === words.length - 1) return null;
  const command = words.slice(dashes + 1);
  const [line = ""] = command;
  if (command.length > 1 || !/\s/.test(line)) return { ...plain, words: command };
  return isLiteral(line) ? { ...plain, words: [], script: line } : { ...plain, words: [NOT_LITERAL] };
}

/** One wrapper off; null when there is no command behind it, so that the program itself is what runs. */
export function behind(words: readonly string[], wrapper: Wrapper): Step | null {
  const valued = new Set((wrapper.valued ?? "").split(" "));
  const own = new Set((wrapper.own ?? "").split(" "));
  const scripts = new Set((wrapper.script ?? "").split(" "));
  const folders = new Set((wrapper.folder ?? "").split(" "));
  const places = new Set((wrapper.places ?? "").split(" "));
  const assigned: string[] = [];
  let appends = wrapper.appends === true;
  let folder: string | null = null;
  let operands = wrapper.operands ?? 0;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      at++;
      break;
    }
    if (word.startsWith("-") && word.length > 1) {
      const [option, attached] = splitOption(word, valued, scripts);
      if (own.has(option)) return null;
      const value = attached ?? words[at + 1] ?? "";
      if (scripts.has(option)) return { words: [], assigned, script: value, folder };
      if (folders.has(option)) folder = value;
      if (places.has(option) || places.has(option.slice(0, 2))) appends = false;
      if (valued.has(option) && attached === null) at++;
    } else if (wrapper.assigns === true && /^[A-Za-z_]\w*=/.test(word)) {
      assigned.push(word);
    } else if (operands > 0) {
      operands--;
    } else break;
  }
  const rest = words.slice(at + (words[at - 1] === "--" ? operands : 0));
  if (rest.length === 0) return null;
  if (wrapper.joined === true && rest.length === 1 && /\s/.test(rest[0] ?? "")) {
    return { words: [], assigned, script: rest[0] ?? "", folder };
  }
  return { words: appends ? [...rest, NOT_LITERAL] : rest, assigned, script: null, folder };
}

/** The option that decides in `-n5`, `-rn`, `--user=x`, and its value when it is part of the word. */
function splitOption(word: string, valued: ReadonlySet<string>, scripts: ReadonlySet<string>): [string, string | null] {
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    return equals === -1 ? [word, null] : [word.slice(0, equals), word.slice(equals + 1)];
  }
  for (let at = 1; at < word.length; at++) {
    const letter = `-${word[at]}`;
    if (valued.has(letter) || scripts.has(letter)) return [letter, at + 1 < word.length ? word.slice(at + 1) : null];
  }
  return [word, null];
}
