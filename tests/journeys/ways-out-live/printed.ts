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

/** Of what refusals printed so far, the commands that no play has taken up yet: `tama calls retry`, `oko defects show`, `mv` … */
export function notFollowed(): readonly string[] {
  return [...shown].filter((command) => !followed.has(command)).sort();
}

/** Takes note of what a refusal prints; other words that the model is told print nothing to follow. */
export function noteRefusal(told: string): void {
  if (!/BLOCKED|TAMA_HOOK_INFRASTRUCTURE|this session's same call was /.test(told)) return;
  for (const command of commandsIn(told)) shown.add(command);
}

const shown = new Set<string>();
const followed = new Set<string>();

/** A command by its program and the words that choose what it does; one that names a subagent is another. */
function commandsIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) =>
    [
      ...line.matchAll(
        /(?<![\w/])tama wait\b|(?<![\w/])(?:tama|oko) [a-z-]+ [a-z-]+|\bmv (?=['/])|\bprintf '%s' '<command>'/g,
      ),
    ].map(([command], at, all) => {
      const own = line.slice(all[at]?.index, all[at + 1]?.index);
      return / --agent[ =]/.test(own) ? `${command.trim()} --agent` : command.trim();
    }),
  );
}

function lineFrom(told: string, begins: string): string {
  const from = told.indexOf(begins);
  if (from < 0) throw new Error(`no "${begins}" is printed in:\n${told}`);
  const line = (told.slice(from).split("\n")[0] ?? "").trimEnd();
  const [command] = commandsIn(line);
  if (command !== undefined) followed.add(command);
  return line;
}
