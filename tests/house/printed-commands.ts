/** One source or journey: its path from the root and its text. */
export interface Written {
  readonly path: string;
  readonly text: string;
}

/**
 * The commands that sentences of these sources print, each with the first source that does: what stands in a source's strings, comments left
 * out. `commands` are the words of Tama's own commands, the longest of which counts; Oko's are told by two words.
 */
export function printedCommands(sources: readonly Written[], commands: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path, text } of sources)
    for (const string of stringsIn(text))
      for (const command of commandsIn(string, commands)) if (!found.has(command)) found.set(command, path);
  return found;
}

/**
 * The commands that journeys take out of what was printed: what they give to `printed`, `quoted` and their like, which throw where it is not
 * there, or catch by a regular expression (`/(tama calls failed …)/.exec`).
 */
export function followedCommands(journeys: readonly Written[], commands: readonly string[]): ReadonlySet<string> {
  const taken = journeys.flatMap(({ text }) => [...text.matchAll(takes)].map(([call]) => call));
  // A regular expression may begin with the program's name.
  return new Set(taken.flatMap((call) => commandsIn(call.replace(/\/(?=tama |oko )/g, " "), commands)));
}

const takes =
  /\b(?:printed(?:Line|Command)?|quoted)\([^\n]*["'`/](?:tama|oko) [^\n]*|\/[^/\n]*\((?:tama|oko) [^\n]*\.exec\(/g;

function commandsIn(text: string, commands: readonly string[]): readonly string[] {
  return [...text.matchAll(/(?<![\w/.-])(tama|oko) ([a-z-]+)(?: ([a-z-]+))?/g)].flatMap(
    ([, program, first, second]) => {
      const two = `${first} ${second}`;
      if (program === "oko") return second === undefined ? [] : [`oko ${two}`];
      const own = commands.includes(two) ? two : first;
      return own !== undefined && commands.includes(own) ? [`tama ${own}`] : [];
    },
  );
}

function stringsIn(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
  return [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g)].map(
    ([string]) => string,
  );
}
