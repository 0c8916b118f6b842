import { type Command, parse } from "unbash";
import { isLiteral, wordText } from "./shell-words.ts";

/**
 * The words of a line that is exactly one plain command: literal words only, no assignment, wrapper list, redirection,
 * substitution, pipe or background part. Null for every other line.
 */
export function plainCommand(line: string): readonly string[] | null {
  if (line.length > 64 * 1024) return null;
  const script = parse(line);
  const [statement, ...others] = script.commands;
  if (statement === undefined || others.length > 0 || (script.errors?.length ?? 0) > 0) return null;
  if (statement.background === true || statement.command.type !== "Command") return null;
  return literalWords(statement.command);
}

function literalWords(command: Command): readonly string[] | null {
  if (command.prefix.length > 0 || command.name === undefined) return null;
  const words = [wordText(command.name)];
  for (const part of command.suffix) {
    if (part.type !== "Word") return null;
    words.push(wordText(part));
  }
  return words.every(isLiteral) ? words : null;
}
