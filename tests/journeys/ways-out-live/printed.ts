/**
 * The command that a refusal prints and that begins so, as a reader copies it: up to where its sentence goes on outside of quotes, or to the
 * end of its line.
 */
export function printed(told: string, begins: string): string {
  const rest = lineFrom(told, begins);
  let quote: string | null = null;
  for (let at = 0; at < rest.length; at++) {
    const character = rest[at] ?? "";
    if (quote !== null) {
      if (character === quote) quote = null;
    } else if (character === "'" || character === '"') quote = character;
    else if (character === "\\") at++;
    else if (/^(?:\.(?:\s|$)|,\s|\)|\s\()/.test(rest.slice(at))) return rest.slice(0, at);
  }
  return rest;
}

/** The same for a command that ends its line. */
export function printedLine(told: string, begins: string): string {
  return lineFrom(told, begins);
}

function lineFrom(told: string, begins: string): string {
  const from = told.indexOf(begins);
  if (from < 0) throw new Error(`no "${begins}" is printed in:\n${told}`);
  return (told.slice(from).split("\n")[0] ?? "").trimEnd();
}
