import type { Assignment, DoubleQuotedChild, ParameterExpansionPart, Word, WordPart } from "unbash";

/**
 * Stands in a word for what only the running shell knows: an expansion, a substitution, a brace list. Everything
 * literal around it is kept, so `--output=$F` reads `--output=\0` and its option is still seen. No shell word can hold
 * this character itself.
 */
export const NOT_LITERAL = "\0";

/** Variables whose values are known before the shell runs, by name. */
export type Values = ReadonlyMap<string, string>;

/** True when every character of the word is known before the shell runs. */
export function isLiteral(word: string): boolean {
  return !word.includes(NOT_LITERAL);
}

/**
 * The word as the program will get it, with NOT_LITERAL for each piece that is not known. File globs stay as written, and so does every
 * variable that `values` does not hold.
 */
export function wordText(word: Word, values?: Values): string {
  const parts = word.parts;
  return parts === undefined ? word.value : partsText(parts, values);
}

/** `NAME=value` of an assignment, the value with NOT_LITERAL for what is not known. */
export function assignmentText(assignment: Assignment, values?: Values): string {
  const value = assignment.value;
  return `${assignment.name}=${value.type === "Word" ? wordText(value, values) : NOT_LITERAL}`;
}

export function partsText(parts: readonly (WordPart | DoubleQuotedChild)[], values?: Values): string {
  let text = "";
  for (const part of parts) text += partText(part, values);
  return text;
}

function partText(part: WordPart | DoubleQuotedChild, values: Values | undefined): string {
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
      return partsText(part.parts, values);
    }
    case "SimpleExpansion":
      return values?.get(part.text.slice(1)) ?? NOT_LITERAL;
    case "ParameterExpansion":
      return values === undefined ? NOT_LITERAL : expansionText(part, values);
    default:
      return NOT_LITERAL;
  }
}

/** `${NAME}`, and `${NAME:-word}` by its word where NAME is not known; every other form only the shell can tell. */
function expansionText(part: ParameterExpansionPart, values: Values): string {
  const { operation } = part;
  if (part.prefix !== undefined || part.index !== undefined) return NOT_LITERAL;
  if (operation === undefined) return values.get(part.parameter) ?? NOT_LITERAL;
  if (operation.type !== "Default" || !/^:?[-=]$/.test(operation.operator)) return NOT_LITERAL;
  return values.get(part.parameter) ?? wordText(operation.operand, values);
}
