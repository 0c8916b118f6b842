/**
 * Words of a tool's name that say it acts: pressing "next" twice is no repeated look. For tools that no table names (a browser's, a
 * debugger's, a tracker's). Left out are words that may only ask, such as run, query or get.
 */
const ACTING: ReadonlySet<string> = new Set(
  (
    "computer click dblclick tap press type fill scroll swipe drag drop hover navigate goto back forward next previous advance " +
    "step continue resume pause submit send post create add insert update edit write set delete remove move rename upload " +
    "deploy push merge close open start stop restart reset apply install debug"
  ).split(" "),
);

/** Words of a tool's name that say it writes, moves or removes files, where its arguments name some. */
const WRITING: ReadonlySet<string> = new Set(
  "write edit create delete remove move rename update insert append patch replace save put overwrite truncate copy".split(
    " ",
  ),
);

/** Whether a tool acts by its name, so that sending it again is no repeated look. */
export function actsByName(tool: string): boolean {
  return wordsOfName(tool).some((word) => ACTING.has(word));
}

/** Whether a tool that no table names writes files by its name. */
export function writesFilesByName(tool: string): boolean {
  return wordsOfName(tool).some((word) => WRITING.has(word));
}

/** Whether what lies below a folder it names goes along. */
export function removesFilesByName(tool: string): boolean {
  return wordsOfName(tool).some((word) => /^(?:delete|remove|move|rename|trash)$/.test(word));
}

function wordsOfName(tool: string): readonly string[] {
  const words = tool
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  // The server's or plugin's name in front says nothing of the tool.
  return words.slice(words[0] === "mcp" ? 2 : 0);
}
