/** How much is kept: so many texts, of so many characters together. */
export interface Remembered {
  readonly texts: number;
  readonly chars: number;
}

/**
 * A pure function of a text that keeps what it gave for the latest texts. For work that several rules need done on one text, one after
 * the other; what it gives is shared, so it must not be changed.
 */
export function remembering<Given>(of: (text: string) => Given, max: Remembered): (text: string) => Given {
  const kept = new Map<string, { readonly given: Given }>();
  let chars = 0;
  return (text) => {
    const before = kept.get(text);
    if (before !== undefined) return before.given;
    const given = of(text);
    if (text.length > max.chars) return given;
    if (kept.size >= max.texts || chars + text.length > max.chars) {
      kept.clear();
      chars = 0;
    }
    kept.set(text, { given });
    chars += text.length;
    return given;
  };
}
