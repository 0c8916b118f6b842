import { join, normalize, resolve } from "node:path";
import { isLiteral, NOT_LITERAL } from "../shell/shell-words.ts";
import { type SimpleCommand, simpleCommands } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";
import { touchedPath } from "./edited-path.ts";

/** One command of a shell line with the folder it runs in, as far as `cd` tells. */
export interface PlacedCommand {
  readonly command: SimpleCommand;
  readonly cwd: string;
}

/** The commands of a line in order, `cd` followed; null where the line does not parse. */
export function placedCommands(line: string, cwd: string, userHome: string): readonly PlacedCommand[] | null {
  const commands = simpleCommands(line);
  if (commands === null) return null;
  let here = cwd;
  return commands.map((command) => {
    const placed = { command, cwd: here };
    if (programBasename(command.program) === "cd") here = absolutePath(command.words[1] ?? "~", here, userHome);
    return placed;
  });
}

/** The files a command's words may name: every operand, an option's value behind `=`, what it redirects to. */
export function namedPaths({ command, cwd }: PlacedCommand, userHome: string): readonly string[] {
  const words = command.words.slice(1).flatMap((word) => {
    const value = /^(?:--?[\w-]+|\w+)=(.+)$/s.exec(word)?.[1];
    if (value !== undefined) return [value];
    return word.startsWith("-") ? [] : [word];
  });
  return [...words, ...command.targets].map((word) => absolutePath(word, cwd, userHome));
}

/** The file a write tool names. */
export function writtenPaths(input: unknown, cwd: string, userHome: string): readonly string[] {
  const path = touchedPath(input, cwd);
  return path === null ? [] : [absolutePath(path, cwd, userHome)];
}

/**
 * A word as an absolute path. A leading expansion (`$HOME/…`, `${X}/…`) is read as the person's home: what else it may be only the
 * running shell knows, and for a protected place that guess is the one that counts. A glob stands for its folder.
 */
export function absolutePath(word: string, cwd: string, userHome: string): string {
  const expanded = word.startsWith(`${NOT_LITERAL}/`)
    ? join(userHome, word.slice(1))
    : word.replace(/^~(?=\/|$)/, userHome);
  const literal = isLiteral(expanded) ? expanded : (expanded.split(NOT_LITERAL)[0] ?? "");
  const solid = literal.replace(/[^/]*[*?[].*$/s, "");
  return normalize(resolve(cwd, solid === "" ? "." : solid)).replace(/(?<=.)\/$/, "");
}
