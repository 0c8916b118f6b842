import { isLiteral, NOT_LITERAL, type Values } from "./shell-words.ts";

/** A place in which a script or a function stands that is given words, its own name first; null where it has none. */
export function given<P extends { readonly values: Values | undefined }>(
  place: P,
  [name = null, ...words]: readonly (string | null)[],
): P {
  const { values } = place;
  const known = words.map((word) => word ?? NOT_LITERAL);
  return values === undefined ? place : { ...place, values: withPositional(values, name, known) };
}

/** `$1` to `$9`, and all of them where there is one. */
function withPositional(values: Values, name: string | null, words: readonly string[]): Values {
  const own = new Map(values);
  const all = words.length === 1 ? (words[0] ?? NOT_LITERAL) : NOT_LITERAL;
  const given: readonly (readonly [string, string | null])[] = [
    ["0", name],
    ...Array.from({ length: 9 }, (_none, at) => [String(at + 1), words[at] ?? ""] as const),
    ["@", all],
    ["*", all],
  ];
  for (const [variable, value] of given) {
    if (value !== null && isLiteral(value)) own.set(variable, value);
    else own.delete(variable);
  }
  return own;
}
