import type { Command, Redirection, Word, WordPart } from "unbash";
import { isLiteral, partsText, type Values, wordText } from "./shell-words.ts";
import { programBasename, unwrap } from "./wrappers.ts";

/** How far the one who asks can read a line; NOT_LITERAL within a word for what only the shell knows. */
export interface Reading {
  readonly word: (word: Word) => string;
  /** A here-document's body. */
  readonly body: (parts: readonly WordPart[]) => string;
  /** What a file holds that is read; null where that is not known. */
  readonly file: (word: string) => string | null;
}

/** With these variables' values known, and of files nothing. */
export function plainReading(values?: Values): Reading {
  return { word: (word) => wordText(word, values), body: (parts) => partsText(parts, values), file: () => null };
}

/** What feeds a command: its redirections, null where what they give is not known, else `fed`. */
export function inputText<Fed>(redirects: readonly Redirection[], fed: Fed, reading: Reading): string | null | Fed {
  let text: string | null | Fed = fed;
  for (const redirect of redirects) {
    if (redirect.type === "HereString")
      text = redirect.target === undefined ? null : literal(`${reading.word(redirect.target)}\n`);
    else if (redirect.type === "HereDoc") text = literal(bodyText(redirect, reading));
    else if (redirect.operator === "<" || redirect.operator === "<>")
      text = redirect.target === undefined ? null : reading.file(reading.word(redirect.target));
  }
  return text;
}

function bodyText(redirect: Extract<Redirection, { type: "HereDoc" }>, reading: Reading): string {
  const { body } = redirect;
  const text = body.parts === undefined ? body.text : reading.body(body.parts);
  return redirect.operator === "<<-" ? text.replace(/^\t+/gm, "") : text;
}

/** A command's own words, without what it redirects. */
export function wordsOf(command: Command, { word }: Pick<Reading, "word"> = plainReading()): readonly string[] {
  const words = command.name === undefined ? [] : [word(command.name)];
  for (const part of command.suffix) if (part.type === "Word") words.push(word(part));
  return words;
}

/**
 * What a command prints, where the line itself says it: `echo`, `printf`, and `cat` of a here-document or of what it is fed. Null where
 * only a run can tell.
 */
export function saidText(command: Command, fed: string | null, values?: Values): string | null {
  const reading = plainReading(values);
  return printedBy(unwrap(wordsOf(command, reading)).words, inputText(command.redirects, fed, reading), reading.file);
}

/** The same by a command's words, what stands on its input, and what is known of files. */
export function printedBy(
  words: readonly string[],
  input: string | null,
  fileText: (word: string) => string | null,
): string | null {
  if (!words.every(isLiteral)) return null;
  const own = words.slice(1);
  switch (programBasename(words[0] ?? "")) {
    case "echo":
      return echoed(own);
    case "printf":
      return formatted(own[0] === "--" ? own.slice(1) : own);
    case "cat":
      return own.some((word) => /^-./.test(word)) ? null : together(own, input, fileText);
    case "tr":
      return own.length === 2 && own[0] === "-d" && input !== null ? without(input, unescaped(own[1] ?? "")) : null;
    case "base64":
      return encoded(own, input, fileText);
    case "export":
    case "true":
    case ":":
      return "";
    default:
      return null;
  }
}

function together(
  words: readonly string[],
  input: string | null,
  fileText: (word: string) => string | null,
): string | null {
  const texts = (words.length === 0 ? ["-"] : words).map((word) => (word === "-" ? input : fileText(word)));
  return texts.every((text) => text !== null) ? texts.join("") : null;
}

/** `tr -d`, where its set is plain characters. */
function without(text: string, characters: string): string | null {
  if (/[[\]-]/.test(characters)) return null;
  return [...text].filter((one) => !characters.includes(one)).join("");
}

function encoded(
  words: readonly string[],
  input: string | null,
  fileText: (word: string) => string | null,
): string | null {
  const files = words.filter((word, at) => !word.startsWith("-") && words[at - 1] !== "-w");
  const text = together(files, input, fileText);
  if (text === null) return null;
  const decodes = words.some((word) => /^(?:-[dD]|--decode)$/.test(word));
  return decodes ? Buffer.from(text, "base64").toString() : `${Buffer.from(text).toString("base64")}\n`;
}

function echoed(words: readonly string[]): string {
  const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const options = words.slice(0, first === -1 ? words.length : first).join("");
  const text = words.slice(first === -1 ? words.length : first).join(" ");
  return `${options.includes("e") ? unescaped(text) : text}${options.includes("n") ? "" : "\n"}`;
}

/** `printf`, whose format is used again until its values are. Null for a conversion that is not of text. */
function formatted(words: readonly string[]): string | null {
  const [format = "", ...values] = words;
  const pieces = format.split(/(%[%sbqd])/);
  const wanted = pieces.filter((piece) => /^%[sbqd]$/.test(piece)).length;
  if (pieces.some((piece, at) => at % 2 === 0 && piece.includes("%"))) return null;
  let text = "";
  let next = 0;
  do {
    for (const piece of pieces) {
      if (piece === "%%") text += "%";
      else if (/^%[sd]$/.test(piece)) text += values[next++] ?? "";
      else if (piece === "%b") text += unescaped(values[next++] ?? "");
      else if (piece === "%q") return null;
      else text += unescaped(piece);
    }
  } while (wanted > 0 && next < values.length);
  return text;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  "'": "'",
  e: "\u001b",
  a: "\u0007",
};

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|.)/gs, (whole, mark: string) => {
    if (Object.hasOwn(escapes, mark)) return escapes[mark] ?? whole;
    if (mark.startsWith("x") && mark.length > 1) return String.fromCharCode(Number.parseInt(mark.slice(1), 16));
    return /^[0-7]+$/.test(mark) ? String.fromCharCode(Number.parseInt(mark, 8) & 0xff) : whole;
  });
}

function literal(text: string): string | null {
  return isLiteral(text) ? text : null;
}
