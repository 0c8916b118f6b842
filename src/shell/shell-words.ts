import type { Assignment, DoubleQuotedChild, Word, WordPart } from "unbash";

/**
 * Stands in a word for what only the running shell knows: an expansion, a substitution, a brace list. Everything
 * literal around it is kept, so `--output=$F` reads `--output=\0` and its option is still seen. No shell word can hold
 * this character itself.
 */
export const NOT_LITERAL = "\0";

/** True when every character of the word is known before the shell runs. */
export function isLiteral(word: string): boolean {
  return !word.includes(NOT_LITERAL);
}

/** The word as the program will get it, with NOT_LITERAL for each piece that is not known. File globs stay as written. */
export function wordText(word: Word): string {
  const parts = word.parts;
  return parts === undefined ? word.value : partsText(parts);
}

/** `NAME=value` of an assignment, the value with NOT_LITERAL for what is not known. */
export function assignmentText(assignment: Assignment): string {
  const value = assignment.value;
  return `${assignment.name}=${value.type === "Word" ? wordText(value) : NOT_LITERAL}`;
}

function partsText(parts: readonly (WordPart | DoubleQuotedChild)[]): string {
  let text = "";
  for (const part of parts) text += partText(part);
  return text;
}

function partText(part: WordPart | DoubleQuotedChild): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "Glob":
      return part.parts === undefined || part.parts.every((inner) => inner.type === "Literal")
        ? part.value
        : NOT_LITERAL;
    case "DoubleQuoted":
    case "LocaleString": {
      return partsText(part.parts);
    }
    default:
      return NOT_LITERAL;
  }
}
