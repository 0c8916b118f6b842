import { didYouMean } from "./nearest-word.ts";
import type { Branch } from "./tree.ts";
import { groupOf } from "./usage.ts";

/** What is wrong with words that name no command, where more than a verb is missing: then the usage says all. */
export function wrongWords(tree: readonly Branch[], words: readonly string[]): string {
  const [first, verb] = words;
  if (first === undefined) return "";
  const group = groupOf(tree, first);
  if (group.length === 0) {
    const known = [...new Set(tree.flatMap(({ words: own, hidden }) => (hidden === true ? [] : own.slice(0, 1))))];
    return `tama: there is no command ${JSON.stringify(first)}${didYouMean(first, known)}\n`;
  }
  if (verb === undefined || verb === "--help" || verb === "-h") return "";
  return `tama ${first}: there is no ${JSON.stringify(verb)}${didYouMean(
    verb,
    group.map((branch) => branch.words.slice(1).join(" ")),
  )}\n`;
}
