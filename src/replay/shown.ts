import { maskSecrets } from "../base/mask.ts";
import { cutMiddle, printable } from "../base/printable.ts";
import { shellLine } from "../calls/shell-line.ts";

/** Text of a transcript as it may be shown: secrets masked, control sequences visible, cut in the middle. */
export function shownText(text: string, bytes: number): string {
  return cutMiddle(printable(maskSecrets(cutMiddle(text, 4 * bytes))), bytes);
}

/** A call in one text: its command line, or its arguments. */
export function shownCall(input: unknown): string {
  return shownText(shellLine(input) ?? JSON.stringify(input) ?? "", callBytes);
}

const callBytes = 1024;
