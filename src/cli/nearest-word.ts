/**
 * The known word that was probably meant, or null: one that begins as the given one does, or is at most two letters away (a third of a
 * short word's letters). For a sentence that says which words there are.
 */
export function nearestWord(given: string, known: readonly string[]): string | null {
  const word = given.slice(0, lengthMax).toLowerCase();
  const near = known
    .map((one) => ({ one, away: lettersAway(word, one) }))
    .filter(({ one, away }) => away <= Math.min(2, Math.ceil(one.length / 3)))
    .sort((a, b) => a.away - b.away)[0];
  const begun = word.length < 2 ? [] : known.filter((one) => one.startsWith(word));
  return near?.one ?? begun[0] ?? null;
}

/** `; did you mean X?` where there is such a word, else nothing. */
export function didYouMean(given: string, known: readonly string[], shown = (word: string): string => word): string {
  const near = nearestWord(given, known);
  return near === null ? "" : `; did you mean ${shown(near)}?`;
}

/** No word of ours is as long. */
const lengthMax = 64;

/** Letters to add, drop, change or swap with their neighbour until one word is the other. */
function lettersAway(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_none, at) => at);
  for (let at = 1; at <= from.length; at++) {
    const row = [at];
    for (let other = 1; other <= to.length; other++) {
      const same = from[at - 1] === to[other - 1];
      const swapped = from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1];
      const steps = [(row[other - 1] ?? 0) + 1, (last[other] ?? 0) + 1, (last[other - 1] ?? 0) + (same ? 0 : 1)];
      if (swapped && at > 1 && other > 1) steps.push((before[other - 2] ?? 0) + 1);
      row.push(Math.min(...steps));
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
