import { cutMiddle } from "./printable.ts";
import { secretShapes } from "./secret-shapes.ts";

/**
 * Hides what looks like a secret in text that is kept on disk. The shapes are the well-known token forms; a word that only sits
 * beside `password=` and the like is hidden too. The first characters stay, so that a person can tell which key it was.
 */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const { words, form } of secretShapes)
    if (words.some((word) => masked.includes(word))) masked = masked.replace(form, hide);
  return masked.replace(assigned, (_whole, name: string, sign: string, value: string) => {
    const quote = /^["']/.exec(value)?.[0] ?? "";
    return `${name}${sign}${quote}${hiddenMark}${quote}`;
  });
}

/**
 * Text of at most `bytes` UTF-8 bytes for a record, without its secrets: masked before it is cut, since half a secret is none that the mask
 * would know. Of a text far longer than that only its ends are masked; where they were cut apart falls away with the second cut.
 */
export function maskedCut(text: string, bytes: number): string {
  return cutMiddle(maskSecrets(cutMiddle(text, 4 * bytes)), bytes, Buffer.byteLength(text));
}

const hiddenMark = "[hidden by tama]";

function hide(found: string): string {
  return `${found.slice(0, 4)}${hiddenMark}`;
}

/** A name that says it (1Password is a program's), a sign, and the value: in quotes up to their end, else one word. */
const assigned =
  /(?<!\b1)(password|passwd|secret|(?:api|access|private|account|secret|encryption)[_-]?key|(?:auth|access|refresh|session|api|id)[_-]?token)(["']?\s{0,4}[=:]\s{0,4})(?!["']?\[hidden)("[^"\n]{6,512}"|'[^'\n]{6,512}'|[^\s"',;]{6,512})/gi;
