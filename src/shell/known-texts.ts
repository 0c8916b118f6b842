/**
 * What a shell line puts on the clipboard and into files, as far as the line itself says it: echo and printf, here-documents, files whose
 * text is known, variables and substitutions made of these, in the order in which a shell would run them. Where only a run can tell (what
 * another program prints, a branch, a loop) a text is null. Nothing is run here.
 */
import { join, normalize } from "node:path";
import {
  type Command,
  type DoubleQuotedChild,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";
import { copiedBy } from "./clipboard.ts";
import { shellScript } from "./nested-commands.ts";
import { inputText, printedBy, type Reading, wordsOf } from "./said-text.ts";
import { isLiteral, NOT_LITERAL, partsText } from "./shell-words.ts";
import { unwrap } from "./wrappers.ts";

export interface KnownTexts {
  /** What is on the clipboard when the line has run; null where only a run can tell, undefined where it copies nothing. */
  readonly copied: string | null | undefined;
  /** The files it writes, by path, with their text or null. */
  readonly files: ReadonlyMap<string, string | null>;
}

/** Where a line runs; a relative path stays so where the folder is null. */
export interface TextGround {
  readonly cwd: string | null;
  readonly fileText: (path: string) => string | null;
}

export function knownTexts(line: string, ground: TextGround): KnownTexts {
  const state: State = { copied: undefined, files: new Map(), values: new Map(), folder: ground.cwd, ground };
  runScript(line, null, state, 0);
  // The terminal's own sequence; what stands between is known only where all of it is.
  if (state.copied === undefined && /(?:\\(?:e|033|x1b|u001b)|\u001b)\]52;/i.test(line)) state.copied = null;
  return { copied: state.copied, files: state.files };
}

/** The file that a word names from a folder. */
export function pathIn(folder: string | null, word: string): string {
  return folder === null || /^[/~]/.test(word) ? normalize(word) : normalize(join(folder, word));
}

interface State {
  copied: string | null | undefined;
  readonly files: Map<string, string | null>;
  readonly values: Map<string, string>;
  folder: string | null;
  readonly ground: TextGround;
}

/** What stands on a command's input, or what it prints. */
type Text = string | null;

const LINE_CHARS_MAX = 64 * 1024;
const DEPTH_MAX = 40;

function runScript(line: string, input: Text, state: State, depth: number): Text {
  if (line.length > LINE_CHARS_MAX || depth > DEPTH_MAX) return null;
  const script = parse(line);
  return (script.errors?.length ?? 0) > 0 ? null : runAll(script, input, state, depth);
}

function runAll(list: { readonly commands: readonly SyntaxNode[] }, input: Text, state: State, depth: number): Text {
  let text: Text = "";
  for (const node of list.commands) {
    const printed = run(node, input, state, depth + 1);
    text = text === null || printed === null ? null : text + printed;
  }
  return text;
}

function run(node: SyntaxNode, input: Text, state: State, depth: number): Text {
  if (depth > DEPTH_MAX) return doubt(node, state);
  switch (node.type) {
    case "Statement":
      return run(node.command, input, state, depth + 1);
    case "AndOr":
      for (const [at, command] of node.commands.entries())
        if (at > 0 && node.operators[at - 1] === "||") doubt(command, state);
        else run(command, input, state, depth + 1);
      return null;
    case "Pipeline":
      return node.commands.reduce((text: Text, stage) => run(stage, text, state, depth + 1), input);
    case "Subshell":
    case "BraceGroup":
      return runAll(node.body, input, state, depth + 1);
    case "Redirected": {
      const fed = inputText(node.redirects, input, readingOf(state, depth));
      return intoFiles(node.redirects, run(node.command, fed, state, depth + 1), state, depth);
    }
    case "Command":
      return runCommand(node, input, state, depth);
    default:
      return doubt(node, state);
  }
}

/** What may run or not, and how often: what it would write is known no more. */
function doubt(node: SyntaxNode, state: State): null {
  const stack: SyntaxNode[] = [node];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (
      next.type === "Command" &&
      copiedBy(unwrap(wordsOf(next, readingOf(state, DEPTH_MAX))).words, null) !== undefined
    )
      state.copied = null;
    if (next.type === "Assignment") state.values.delete(next.name);
    if (next.type === "Redirect" && next.target !== undefined)
      state.files.set(pathIn(state.folder, textOf(next.target, state, DEPTH_MAX)), null);
    forEachChild(next, (child) => stack.push(child));
  }
  return null;
}

function runCommand(command: Command, input: Text, state: State, depth: number): Text {
  const reading = readingOf(state, depth);
  const words = wordsOf(command, reading);
  const fed = inputText(command.redirects, input, reading);
  for (const part of command.name === undefined ? command.prefix : command.suffix) assign(part, state, depth);
  if (words.length === 0) return intoFiles(command.redirects, "", state, depth);
  const inner = unwrap(words);
  const script = inner.script ?? shellScript(inner.words);
  const printed = script === null ? printedIn(inner.words, fed, state) : runScript(script, fed, state, depth + 1);
  return intoFiles(command.redirects, printed, state, depth);
}

function assign(part: SyntaxNode, state: State, depth: number): void {
  if (part.type !== "Assignment") return;
  const text = part.value.type === "Word" && part.append !== true ? textOf(part.value, state, depth) : NOT_LITERAL;
  if (isLiteral(text)) state.values.set(part.name, text);
  else state.values.delete(part.name);
}

function printedIn(words: readonly string[], input: Text, state: State): Text {
  const known = (word: string): Text => fileText(word, state);
  const copied = copiedBy(words, input, known);
  if (copied !== undefined) {
    state.copied = copied;
    return "";
  }
  const [program, first] = words;
  if (program === "cd") state.folder = pathIn(state.folder, first ?? "~");
  if (program === "tee") {
    for (const word of words.slice(1))
      if (!word.startsWith("-")) state.files.set(pathIn(state.folder, word), words.includes("-a") ? null : input);
    return input;
  }
  const printed = printedBy(words, input, known);
  const copy = printed === null ? null : /\u001b\]52;[^;]*;([A-Za-z0-9+/=]+)/.exec(printed)?.[1];
  if (copy != null) state.copied = Buffer.from(copy, "base64").toString();
  return printed;
}

/** Puts what a command prints where its redirections say; what then still is printed. */
function intoFiles(redirects: readonly Redirection[], printed: Text, state: State, depth: number): Text {
  let left = printed;
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect" || redirect.target === undefined || /^[<]|>&$/.test(redirect.operator)) continue;
    const ofOutput =
      redirect.descriptor === undefined ||
      (redirect.descriptor.type === "FileDescriptor" && redirect.descriptor.value === 1);
    const name = textOf(redirect.target, state, depth);
    const path = pathIn(state.folder, name);
    const before = redirect.operator.endsWith(">>") ? fileText(name, state) : "";
    const whole =
      !ofOutput || redirect.operator.startsWith("&") || left === null || before === null ? null : before + left;
    if (!path.startsWith("/dev/")) state.files.set(path, whole);
    if (ofOutput) left = "";
  }
  return left;
}

function readingOf(state: State, depth: number): Reading {
  return {
    word: (word) => textOf(word, state, depth),
    body: (parts) => parts.map((part) => partText(part, true, state, depth)).join(""),
    file: (word) => fileText(word, state),
  };
}

function fileText(word: string, { files, folder, ground }: State): Text {
  const path = pathIn(folder, word);
  if (path === "/dev/null") return "";
  return files.has(path) ? (files.get(path) ?? null) : ground.fileText(path);
}

function textOf(word: Word, state: State, depth: number): string {
  return word.parts === undefined ? word.value : word.parts.map((part) => partText(part, false, state, depth)).join("");
}

/** A substitution by what its commands print; outside of quotes a shell splits it, and echo puts it together again. */
function partText(part: WordPart | DoubleQuotedChild, quoted: boolean, state: State, depth: number): string {
  switch (part.type) {
    case "DoubleQuoted":
      return part.parts.map((inner) => partText(inner, true, state, depth)).join("");
    case "CommandExpansion": {
      const printed = printedBySubstitution(part.script, state, depth);
      if (printed === null) return NOT_LITERAL;
      return quoted ? printed : printed.trim().replace(/\s+/g, " ");
    }
    default:
      return partsText([part], state.values);
  }
}

function printedBySubstitution(script: ParsedScript | undefined, state: State, depth: number): Text {
  if (script === undefined || (script.errors?.length ?? 0) > 0 || depth >= DEPTH_MAX) return null;
  return runAll(script, null, state, depth + 1)?.replace(/\n+$/, "") ?? null;
}
