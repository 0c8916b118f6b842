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
  if (oscCopy.test(line)) return true;
  return (simpleCommands(line) ?? []).some((command) => {
    const name = programBasename(command.program);
    if (!Object.hasOwn(CLIPBOARD_PROGRAMS, name)) return false;
    const showing = CLIPBOARD_PROGRAMS[name] ?? [];
    return !command.words.some((word) => showing.includes(word));
  });
}

/** `ESC ] 52 ; c ;` as shells' printf and echo write it. */
const oscCopy = /(?:\\(?:e|033|x1b|u001b)|\u001b)\]52;/i;
