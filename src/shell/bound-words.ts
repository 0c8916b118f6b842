import { type SimpleCommand, simpleCommands } from "./simple-commands.ts";
import { programBasename } from "./wrappers.ts";

/**
 * True when a shell line runs the functionality that a defect binds (`oko defects record … --blocks "PROGRAM WORDS"`):
 * the bound words are the first words of one of the line's simple commands, assignments and wrappers left out on both
 * sides. The program also matches by its basename. A line that does not parse is split at its separators instead, so
 * that a shell this parser does not know is bound too.
 */
export function bindsShellLine(words: string, line: string): boolean {
  const bound = commandsOf(words)[0];
  if (bound === undefined || bound.length === 0) return false;
  return commandsOf(line).some((command) => startsWith(command, bound));
}

/** True when the bound words are the name of this tool, in any case (for tools that are no shell). */
export function bindsToolName(words: string, tool: string): boolean {
  const name = words.trim();
  return name !== "" && name.toLowerCase() === tool.trim().toLowerCase();
}

function commandsOf(line: string): readonly (readonly string[])[] {
  const commands = simpleCommands(line);
  return commands === null ? splitAtSeparators(line) : commands.map((command: SimpleCommand) => command.words);
}

const RESERVED: ReadonlySet<string> = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"]);

function splitAtSeparators(line: string): readonly (readonly string[])[] {
  return line
    .split(/[;|&()\n`]+/)
    .map((part) => part.split(/\s+/).filter((word) => word !== ""))
    .map((words) => words.slice(words.findIndex((word) => !RESERVED.has(word))))
    .filter((words) => words.length > 0);
}

function startsWith(command: readonly string[], bound: readonly string[]): boolean {
  if (bound.length > command.length) return false;
  return bound.every((word, at) => (at === 0 ? sameProgram(word, command[0] ?? "") : word === command[at]));
}

/** Two paths are the same program only when they are the same path; a bare name is met by any path that ends in it. */
function sameProgram(bound: string, program: string): boolean {
  if (withoutDot(bound) === withoutDot(program)) return true;
  const barePart = !bound.includes("/") || !program.includes("/");
  return barePart && programBasename(bound) === programBasename(program);
}

function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
