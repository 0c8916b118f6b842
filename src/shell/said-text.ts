import type { Command, Redirection } from "unbash";
import { isLiteral, partsText, type Values, wordText } from "./shell-words.ts";
import { programBasename, unwrap } from "./wrappers.ts";

/** A here-document's or here-string's text; where something else feeds the command null, and undefined where nothing does. */
export function inputText(redirects: readonly Redirection[], values?: Values): string | null | undefined {
  let text: string | null | undefined;
  for (const redirect of redirects) {
    if (redirect.type === "HereString")
      text = redirect.target === undefined ? null : literal(`${wordText(redirect.target, values)}\n`);
    else if (redirect.type === "HereDoc") text = literal(bodyText(redirect, values));
    else if (redirect.operator === "<" || redirect.operator === "<>") text = null;
  }
  return text;
}

function bodyText(redirect: Extract<Redirection, { type: "HereDoc" }>, values: Values | undefined): string {
  const { body } = redirect;
  const text = body.parts === undefined ? body.text : partsText(body.parts, values);
  return redirect.operator === "<<-" ? text.replace(/^\t+/gm, "") : text;
}

/** A command's own words, without what it redirects; NOT_LITERAL within them for what only the shell knows. */
export function wordsOf(command: Command, values?: Values): readonly string[] {
  const words = command.name === undefined ? [] : [wordText(command.name, values)];
  for (const part of command.suffix) if (part.type === "Word") words.push(wordText(part, values));
  return words;
}

/**
 * What a command prints, where the line itself says it: `echo`, `printf`, and `cat` of a here-document or of what it is fed. Null where
 * only a run can tell.
 */
export function saidText(command: Command, fed: string | null, values?: Values): string | null {
  const input = inputText(command.redirects, values);
  return printedBy(unwrap(wordsOf(command, values)).words, input === undefined ? fed : input, () => null);
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
