import { isLiteral } from "../shell/shell-words.ts";
import { knownCommands } from "../shell/simple-commands.ts";
import { completeCommands, statementsOf } from "../shell/statements.ts";
import { type Fence, fencesIn } from "./fences.ts";
import { scriptsOf } from "./prompted-scripts.ts";

/** One command that an answer hands its reader to run. */
export interface HandedCommand {
  /** As it is written, for a person. */
  readonly shown: string;
  /** The program and its words, PLACEHOLDER within a word that stands for any; null where the shell cannot be parsed. */
  readonly words: readonly string[] | null;
  /** The same with the values that the script gives its own variables, once for each; none where it says nothing of them. */
  readonly known: readonly (readonly string[])[];
  /** The files it writes by redirection. */
  readonly targets: readonly string[];
}

/** Stands in a word for a `<placeholder>`. A private character, which no shell treats specially. */
export const PLACEHOLDER = "\ue000";

/**
 * The commands in an answer's shell fences (spec: conduct gates): a fence without an info string, or of one of `shells`, in lists and
 * quotes too. An indented block and an inline span are no fences; another language's fence is code to read.
 */
export function handedCommands(answer: string, shells: readonly string[]): readonly HandedCommand[] {
  return shellFences(answer, shells).flatMap(({ language, body }) => scriptsOf(language, body).flatMap(commandsOf));
}

/** The same as a person pastes them: each complete command of the fences, `a && b | c` being one. */
export function handedLines(answer: string, shells: readonly string[]): readonly string[] {
  return shellFences(answer, shells).flatMap(({ language, body }) =>
    scriptsOf(language, body).flatMap((script) => {
      const { text, names } = withoutPlaceholders(script);
      return completeCommands(text)?.map((line) => restored(line, names)) ?? unparsed(script).map(({ shown }) => shown);
    }),
  );
}

function shellFences(answer: string, shells: readonly string[]): readonly Fence[] {
  const known = new Set([...shells, "sh", "shell", "bash", "zsh", "fish", "console", "shell-session"]);
  return fencesIn(answer).filter(({ language, body }) => (language === null ? !isDrawn(body) : known.has(language)));
}

/** A tree, a box or a flow is there to read: a line begins with a drawn line or an arrow, or an arrow stands in each line. */
function isDrawn(body: string): boolean {
  if (/^[ \t]*[\u2190-\u21ff\u2500-\u257f]/m.test(body)) return true;
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => /[\u2190-\u21ff]/.test(line));
}

function commandsOf(script: string): readonly HandedCommand[] {
  const { text, names } = withoutPlaceholders(script);
  const statements = statementsOf(text);
  if (statements === null) return unparsed(script);
  const named = (shown: string): string => restored(shown, names);
  const known = text.includes("$") ? knownCommands(text, new Map()) : [];
  return statements.flatMap(({ text: piece, plain, commands }) => {
    const proper = commands.filter(({ words }) => words[0] !== undefined && namesProgram(words[0]));
    return proper.map(({ words, targets }, at) => ({
      shown: named(plain && at === 0 && isItsOwn(piece, words) ? oneLine(piece) : words.map(shellText).join(" ")),
      words,
      known: words.every(isLiteral) ? [] : known.map((one) => one.words).filter((full) => isLiteralOf(words, full)),
      targets,
    }));
  });
}

/** Whether `full` says of `words` what only the running shell would know, and nothing else. */
function isLiteralOf(words: readonly string[], full: readonly string[]): boolean {
  return (
    full.length === words.length &&
    words.every((word, at) => (isLiteral(word) ? word === full[at] : isLiteral(full[at] ?? "")))
  );
}

/**
 * A test is no program; what ends in a colon is a label or a message; and `/name` is a harness's own command, which no session can run by
 * itself and no shell knows.
 */
function namesProgram(word: string): boolean {
  return word !== "[[" && word !== "((" && !/^(?:.+:|\/[a-z][\w:-]*)$/i.test(word);
}

/** What a here-document feeds a shell is written below it, not in the shell's own line. */
function isItsOwn(piece: string, words: readonly string[]): boolean {
  return !piece.includes("<<") || piece.includes(words[0] ?? "");
}

/** A shell this parser does not know (fish), or a script with a slip in it: each of its lines by itself, as it is written. */
function unparsed(script: string): readonly HandedCommand[] {
  const lines = script
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#") && namesProgram(/^\S+/.exec(line)?.[0] ?? ""));
  if (lines.length > 1) return lines.flatMap(commandsOf);
  return lines.map((line) => ({ shown: line, words: null, known: [], targets: [] }));
}

/** `<name>` would be a redirection to a shell. A closing `>` that begins a file's name is none. */
const placeholder = /<([A-Za-z](?:[^<>\n]{0,80}[^<>\s])?)>(?![\w./~$-])|<([A-Za-z][\w-]{0,80})>/g;

function withoutPlaceholders(script: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  // A backslash at the very end goes on with nothing.
  const text = script.replace(/(?<!\\)\\\s*$/, "").replace(placeholder, (whole) => {
    names.push(whole);
    return PLACEHOLDER;
  });
  return { text, names };
}

/** Puts the names back for a person, in order; a piece may hold fewer than the script did. */
function restored(shown: string, names: readonly string[]): string {
  if (!shown.includes(PLACEHOLDER)) return shown;
  const only = new Set(names);
  const name = only.size === 1 ? [...only][0] : undefined;
  let next = 0;
  return shown.replaceAll(PLACEHOLDER, () => name ?? names[next++] ?? "<…>");
}

function oneLine(piece: string): string {
  return piece.replace(/\\\n\s*/g, "").trim();
}

function shellText(word: string): string {
  const plain = word.replaceAll("\0", "…");
  return /^[^\s'"\\$`|&;<>()]+$/.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`;
}
