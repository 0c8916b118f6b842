import { isLiteral } from "./shell-words.ts";
import { simpleCommands } from "./simple-commands.ts";
import { programBasename } from "./wrappers.ts";

/** How a program is told what to put on the clipboard. */
interface Copier {
  /** With one of these it only shows or clears it. */
  readonly shows?: string;
  /** Its operands are the text, or files that hold it; without any it takes its input. */
  readonly operands?: "text" | "files";
  /** Options that take the next word. */
  readonly valued?: string;
  /** Letters behind one dash are options put together (`-bc`). */
  readonly clusters?: boolean;
  /** It runs a line of another language; what stands behind this form there is the text, in quotes or to the end. */
  readonly script?: RegExp;
}

/** Programs that put what they read on the clipboard. */
const COPIERS: Readonly<Record<string, Copier>> = {
  pbcopy: { valued: "-pboard -Prefer" },
  "wl-copy": { shows: "-c --clear", clusters: true, operands: "text", valued: "-t --type -s --seat" },
  xclip: {
    shows: "-o -out",
    operands: "files",
    valued: "-selection -selectio -select -sele -sel -se -s -display -d -loops -l -target -t",
  },
  xsel: {
    clusters: true,
    shows: "-o --output -c --clear -d --delete -k --keep -x --exchange",
    valued: "-t --selectionTimeout -l --logfile",
  },
  clip: {},
  "termux-clipboard-set": { operands: "text" },
  fish_clipboard_copy: { operands: "text" },
  "Set-Clipboard": { operands: "text" },
  win32yank: { shows: "-o" },
  osascript: { script: /\bset the clipboard to\s+/i },
  powershell: { script: /\bSet-Clipboard\s*(?:-Value\s+)?/i },
  pwsh: { script: /\bSet-Clipboard\s*(?:-Value\s+)?/i },
};

/** How each of them takes its input for the clipboard itself, the program first: `xclip` alone fills another selection. */
export const clipboardLines: readonly string[] = [
  "pbcopy",
  "wl-copy",
  "xclip -selection clipboard",
  "xsel --clipboard --input",
  "clip.exe",
  "termux-clipboard-set",
];

/** True when a shell line puts something on the clipboard: by one of the programs, or by the terminal's own sequence (OSC 52). */
export function putsOnClipboard(line: string): boolean {
  if (!worthParsing.test(line)) return false;
  if (oscCopy.test(line)) return true;
  return (simpleCommands(line) ?? []).some(({ words }) => copiedBy(words, null) !== undefined);
}

/** What a command puts on the clipboard, null where only a run can tell, undefined where it puts nothing there. */
export function copiedBy(
  words: readonly string[],
  input: string | null,
  fileText: (word: string) => string | null = () => null,
): string | null | undefined {
  const name = programBasename(words[0] ?? "");
  const copier = Object.hasOwn(COPIERS, name) ? COPIERS[name] : undefined;
  if (copier === undefined) return undefined;
  if (copier.script !== undefined) return copiedByScript(words, copier.script);
  const shows = setOf(`${copier.shows ?? ""} --help --version`);
  if (words.some((word) => optionsIn(word, copier.clusters === true).some((option) => shows.has(option))))
    return undefined;
  const valued = setOf(copier.valued);
  const own = words.filter((word, at) => at > 0 && !/^-./.test(word) && !valued.has(words[at - 1] ?? ""));
  if (copier.operands === undefined || own.length === 0) return input;
  const texts =
    copier.operands === "files" ? own.map((word) => (word === "-" ? input : fileText(word))) : [own.join(" ")];
  return texts.every((text) => text !== null && isLiteral(text)) ? texts.join("") : null;
}

function optionsIn(word: string, clusters: boolean): readonly string[] {
  return clusters && /^-[A-Za-z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
}

/** `osascript -e 'set the clipboard to "…"'`; null for a text that the script makes itself. */
function copiedByScript(words: readonly string[], form: RegExp): string | null | undefined {
  const script = words.slice(1).join(" ");
  const at = form.exec(script);
  if (at === null) return undefined;
  const behind = script.slice(at.index + at[0].length).trim();
  const text =
    /^(["'])((?:[^\\]|\\.)*?)\1$/s.exec(behind)?.[2] ?? (/^[\w./-]+(?: [^"'|;()$&]*)?$/.test(behind) ? behind : null);
  return text !== null && isLiteral(text) ? text.replace(/\\(["'\\])/g, "$1") : null;
}

function setOf(words: string | undefined): ReadonlySet<string> {
  return new Set((words ?? "").split(" ").filter((word) => word !== ""));
}

/** Every call of a session is asked, and hardly one copies. */
const worthParsing = /pbcopy|wl-copy|xclip|xsel|clip|win32yank|\]52;/i;

/** `ESC ] 52 ; c ;` as shells' printf and echo write it. */
const oscCopy = /(?:\\(?:e|033|x1b|u001b)|\u001b)\]52;/i;
