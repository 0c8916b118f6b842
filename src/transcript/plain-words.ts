/** A text's words alone, so that the same ending with other line breaks, quotes or emphasis is the same ending. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(-plainCharsMax);
}

const plainCharsMax = 8 * 1024;
