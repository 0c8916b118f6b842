import type { ArgsDef } from "citty";

/**
 * The flag whose value is missing, as the sentence about it, or null. citty takes such a flag as empty, which would pass for an answer:
 * `--because` at the end of a line says nothing, while `--because ""` says that it is empty.
 */
export function missingValue(args: ArgsDef, rest: readonly string[]): string | null {
  const end = rest.indexOf("--");
  const before = end === -1 ? rest : rest.slice(0, end);
  const isKnown = (word: string): boolean =>
    word.startsWith("--") && Object.hasOwn(args, word.slice(2).split("=")[0] ?? "");
  const flag = before.find((word, index) => {
    const next = before[index + 1];
    return isKnown(word) && args[word.slice(2)]?.type === "string" && (next === undefined || isKnown(next));
  });
  return flag === undefined ? null : `${flag} needs a value`;
}
