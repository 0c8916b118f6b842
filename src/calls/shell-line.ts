/** Argument names under which harnesses hand over a command line, the commonest first. */
const NAMES: readonly string[] = ["command", "cmd", "script", "commandLine", "command_line", "CommandLine", "code"];
const SHELL = /(^|\/)(ba|z|da|k|a)?sh$/;

/**
 * The command line in a shell tool's arguments: a string, or Codex's array form, of which `["bash","-lc","…"]` is the
 * line itself and any other array is quoted into one. Null when there is none.
 */
export function shellLine(input: unknown): string | null {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return null;
  for (const name of NAMES) {
    const value: unknown = Reflect.get(input, name);
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string"))
      return joined(value);
  }
  const action: unknown = Reflect.get(input, "action");
  return typeof action === "object" && action !== null ? shellLine(action) : null;
}

/** Argument names under which harnesses hand over the folder that a line runs in: OMP, Codex and opencode, Gemini, others. */
const FOLDERS: readonly string[] = ["cwd", "workdir", "dir_path", "directory", "working_directory", "workingDirectory"];

/** The folder beside a shell tool's command line, as the call names it; null when it names none. */
export function lineFolder(input: unknown): string | null {
  if (typeof input !== "object" || input === null) return null;
  const named = FOLDERS.map((name): unknown => Reflect.get(input, name)).find((value) => typeof value === "string");
  return typeof named === "string" && named !== "" ? named : null;
}

function joined(words: readonly string[]): string {
  const [program = "", option = "", line] = words;
  if (words.length === 3 && line !== undefined && SHELL.test(program) && /^-[a-z]*c$/.test(option)) return line;
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

/** The line of a tool that is no shell, from the arguments that plainly hold one; `script` and `code` may be any language. */
export function commandLine(input: unknown): string | null {
  if (typeof input !== "object" || input === null) return null;
  const named = Object.fromEntries(
    Object.entries(input).filter(([name]) => /^(?:command|cmd|command_?line)$/i.test(name)),
  );
  return shellLine(named);
}

/** What a call types into a program that runs already (Codex); other arguments of such tools are messages to agents too. */
export function typedText(input: unknown): string | null {
  if (typeof input !== "object" || input === null) return null;
  const typed: unknown = Reflect.get(input, "chars");
  return typeof typed === "string" && typed.trim() !== "" ? typed : null;
}
