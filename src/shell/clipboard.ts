import { isLiteral } from "./shell-words.ts";
import { simpleCommands } from "./simple-commands.ts";
import { programBasename } from "./wrappers.ts";

/** Programs that put what they read on the clipboard, and the words with which some of them only show or clear it. */
export const CLIPBOARD_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  pbcopy: [],
  "wl-copy": ["-c", "--clear"],
  xclip: ["-o", "-out"],
  xsel: ["-o", "--output", "-c", "--clear"],
  clip: [],
  "termux-clipboard-set": [],
};

/** True when a shell line puts something on the clipboard: by one of the programs, or by the terminal's own sequence (OSC 52). */
export function putsOnClipboard(line: string): boolean {
  if (!worthParsing.test(line)) return false;
  if (oscCopy.test(line)) return true;
  return (simpleCommands(line) ?? []).some((command) => {
    const name = programBasename(command.program);
    if (!Object.hasOwn(CLIPBOARD_PROGRAMS, name)) return false;
    const showing = CLIPBOARD_PROGRAMS[name] ?? [];
    return !command.words.some((word) => showing.includes(word));
  });
}

/**
 * What a line puts on the clipboard, where the line itself says it (`echo … | pbcopy`, `wl-copy …`); null where only a run can tell (a
 * file, a substitution, the terminal's own sequence).
 */
export function clipboardText(line: string): string | null {
  const commands = simpleCommands(line) ?? [];
  const at = commands.findIndex(({ program }) => Object.hasOwn(CLIPBOARD_PROGRAMS, programBasename(program)));
  const copying = commands[at];
  if (copying === undefined) return null;
  const own = copying.words.slice(1).filter((word) => !word.startsWith("-"));
  if (programBasename(copying.program) === "wl-copy" && own.length > 0) return literal(own.join(" "));
  const said = copying.fed ? commands[at - 1] : undefined;
  if (said === undefined || at > 1) return null;
  const words = said.words.slice(1).filter((word) => !/^-[neE]+$/.test(word));
  if (said.program === "echo") return literal(words.join(" "));
  if (said.program !== "printf") return null;
  const [format = "", ...values] = words;
  return literal(/^(%s|%b)(\\n)?$/.test(format) ? values.join(" ") : format.replaceAll("\\n", "\n"));
}

function literal(text: string): string | null {
  return isLiteral(text) ? text.trim() : null;
}

/** Every call of a session is asked, and hardly one copies. */
const worthParsing = /pbcopy|wl-copy|xclip|xsel|clip|\]52;/;

/** `ESC ] 52 ; c ;` as shells' printf and echo write it. */
const oscCopy = /(?:\\(?:e|033|x1b|u001b)|\u001b)\]52;/i;
