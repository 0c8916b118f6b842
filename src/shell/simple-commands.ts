/**
 * A shell line taken apart into the commands it may run. The line is parsed, never split by hand (`unbash`); every
 * command in pipes, lists, loops, functions, subshells, substitutions, and in the strings given to `bash -c`, `eval`,
 * `trap`, `watch` counts, as do the commands of `find -exec` and `xargs`, and what a here-document or `echo … |` feeds a
 * shell. What another machine runs (`ssh host "…"`) and the bodies of other here-documents are no commands of this line.
 * The walk keeps its own stack, and each string is parsed at most a bounded number of times, so neither depth nor size can
 * end the core: such a line is null, "unknown".
 */
import { type Command, type For, forEachChild, type ParsedScript, type Pipeline, parse, type SyntaxNode } from "unbash";
import { remembering } from "../base/remembering.ts";
import { constantsOf } from "./constants.ts";
import { behindScript, nestedCommands, readsItsInput, shellScript } from "./nested-commands.ts";
import { given } from "./positional-words.ts";
import { filesWritten } from "./redirections.ts";
import { inputText, plainReading, saidText } from "./said-text.ts";
import { assignmentText, isLiteral, NOT_LITERAL, type Values, wordText } from "./shell-words.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { holdsSubstitution, maySubstitute } from "./substitutions.ts";
import { unwrap } from "./wrappers.ts";

export type { SimpleCommand } from "./simple-command.ts";

/** A longer line is "unknown"; 1 MiB is far over what any harness hands to a shell as one argument. */
const LINE_LIMIT = 1 << 20;
const NESTING_LIMIT = 12;

/** A core lives for days and sees other lines all the time, so only the latest calls' are kept. */
const lately = { texts: 32, chars: 64 * 1024 };

/** Parsed for those who want the commands as they stand, and again for those who know the variables. */
const parsed = remembering(parse, lately);

/**
 * The simple commands of the line in the order they stand in it; null when it does not parse. One call's line is asked about by the
 * repeat rule, the ledger and the gates in turn; it is taken apart once.
 */
export const simpleCommands: (line: string) => readonly SimpleCommand[] | null = remembering((line) => {
  const walk = newWalk(line.length);
  return takeApart(line, AT_TOP, walk) && drain(walk) ? withoutOwnFunctions(walk) : null;
}, lately);

/**
 * The same for a reader who would rather know too much: variables the line gives one literal value, and those it is told, stand in the
 * words by their value; of a line that does not parse, the lines that do are given, since a shell runs them until it meets the slip.
 */
export function knownCommands(line: string, given: Values): readonly SimpleCommand[] {
  // Where no variable stands, no escape that could make one, and no function, their values say nothing.
  const found = /[$\\]|\(\s*\)|\bfunction\b/.test(line) ? null : simpleCommands(line);
  if (found !== null) return found;
  const walk = newWalk(line.length);
  if (takeApart(line, { ...AT_TOP, values: given }, walk) && drain(walk)) return walk.found;
  const lines = line.split("\n");
  return lines.length === 1 || lines.length > LINES_LIMIT ? [] : lines.flatMap((one) => knownCommands(one, given));
}

/** Of a longer script that does not parse nothing is known. */
const LINES_LIMIT = 10_000;

/** The same for words that are already a command, such as the inside of `docker exec NAME …`. */
export function commandsOfWords(words: readonly string[]): readonly SimpleCommand[] | null {
  const walk = newWalk(words.reduce((sum, word) => sum + word.length, 0));
  emit(words, { ...AT_TOP, targets: [], assigned: [], input: null }, walk);
  return drain(walk) ? withoutOwnFunctions(walk) : null;
}

interface Place {
  readonly background: boolean;
  readonly substituted: boolean;
  readonly fed: boolean;
  readonly wrappers: readonly string[];
  readonly nesting: number;
  readonly shells: readonly number[];
  /** What is known to stand on its input. */
  readonly input: string | null;
  /** Variables whose values stand in words; undefined leaves every variable to the shell. */
  readonly values: Values | undefined;
  /** No substitution can stand in this script, so no word of it is looked through for one. */
  readonly plain: boolean;
}

interface Found extends Place {
  readonly targets: readonly string[];
  readonly assigned: readonly string[];
}

interface Walk {
  readonly stack: { node: SyntaxNode; place: Place }[];
  readonly found: SimpleCommand[];
  /** Those that the line defines, with what they run. */
  readonly functions: Map<string, SyntaxNode>;
  /** Subshells seen so far. */
  shells: number;
  /** Characters that may still be parsed; nested substitutions are parsed again at each level. */
  left: number;
}

const AT_TOP: Place = {
  background: false,
  substituted: false,
  fed: false,
  wrappers: [],
  nesting: 0,
  shells: [],
  input: null,
  values: undefined,
  plain: false,
};

function newWalk(length: number): Walk {
  return { stack: [], found: [], functions: new Map(), shells: 0, left: 16 * length + LINE_LIMIT };
}

function inOwnShell(place: Place, walk: Walk): Place {
  walk.shells++;
  return { ...place, shells: [...place.shells, walk.shells] };
}

/** Parses a line and puts it on the stack; false when it does not parse or is too much. */
function takeApart(line: string, place: Place, walk: Walk): boolean {
  if (line.length > LINE_LIMIT || place.nesting > NESTING_LIMIT || !spend(line.length, walk)) return false;
  const script = parsed(line);
  if ((script.errors?.length ?? 0) > 0) return false;
  const plain = !maySubstitute(line);
  const values = place.values === undefined ? undefined : constantsOf(script, place.values, plain);
  walk.stack.push({ node: script, place: { ...place, values, plain } });
  return true;
}

function spend(length: number, walk: Walk): boolean {
  walk.left -= length;
  return walk.left >= 0;
}

function drain(walk: Walk): boolean {
  for (let next = walk.stack.pop(); next !== undefined; next = walk.stack.pop()) {
    if (!visit(next.node, next.place, walk)) return false;
  }
  return true;
}

function visit(node: SyntaxNode, place: Place, walk: Walk): boolean {
  switch (node.type) {
    case "Script":
      if ((node.errors?.length ?? 0) > 0) return false;
      return descend(node, place, walk);
    case "Statement":
      return descend(node, node.background === true ? inOwnShell({ ...place, background: true }, walk) : place, walk);
    case "Coproc":
      return descend(node, inOwnShell({ ...place, background: true }, walk), walk);
    case "Subshell":
      return descend(node, inOwnShell(place, walk), walk);
    case "Pipeline":
      return visitPipeline(node, place, walk);
    case "Command":
      return visitCommand(node, place, walk);
    case "Redirected":
      emitRedirection(filesWritten(node.redirects, place.values), place, walk);
      return descend(node, place, walk);
    case "TestCommand":
      emitBare("[[", place, walk);
      return descend(node, place, walk);
    case "ArithmeticCommand":
      emitBare("((", place, walk);
      return descend(node, place, walk);
    case "For":
      return visitLoop(node, place, walk);
    case "Function":
      walk.functions.set(wordText(node.name), node.body);
      return descend(node, place, walk);
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return visitSubstitution(node, place, walk);
    default:
      return descend(node, place, walk);
  }
}

function visitPipeline({ commands }: Pipeline, place: Place, walk: Walk): boolean {
  let input = place.input;
  const stages = commands.map((node, at) => {
    const own = commands.length > 1 ? inOwnShell(place, walk) : place;
    const stage = { node, place: at > 0 ? { ...own, fed: true, input } : own };
    const feeds = at < commands.length - 1 && node.type === "Command";
    input = feeds ? saidText(node, input, place.values) : null;
    return stage;
  });
  walk.stack.push(...stages.reverse());
  return true;
}

/** Over words that are known, be they patterns, a loop's body is read once for each. */
function visitLoop(node: For, place: Place, walk: Walk): boolean {
  const words = node.wordlist?.map((word) => wordText(word, place.values)) ?? [];
  const known = place.values !== undefined && words.length > 0;
  const cost = words.length * (node.end - node.pos);
  if (!known || 2 * cost > walk.left || !words.every(isLiteral)) return descend(node, place, walk);
  spend(cost, walk);
  for (const word of [...words].reverse()) {
    const values = new Map(place.values).set(node.name.value, word);
    walk.stack.push({ node: node.body, place: { ...place, values } });
  }
  return true;
}

type Substitution = Extract<SyntaxNode, { readonly script: ParsedScript | undefined }>;

/** `node.script` is parsed when it is first read, so its length is paid for before. */
function visitSubstitution(node: Substitution, place: Place, walk: Walk): boolean {
  if (!spend(node.text.length, walk)) return false;
  const script = node.script;
  if (script === undefined) return false;
  const inner = { ...place, substituted: true, fed: false, input: null };
  walk.stack.push({ node: script, place: inOwnShell(inner, walk) });
  return true;
}

function descend(node: SyntaxNode, place: Place, walk: Walk): boolean {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => children.push(child));
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at];
    if (child !== undefined) walk.stack.push({ node: child, place });
  }
  return true;
}

function visitCommand(command: Command, place: Place, walk: Walk): boolean {
  const words: string[] = [];
  const assigned: string[] = [];
  const { values } = place;
  if (command.name !== undefined) words.push(wordText(command.name, values));
  for (const part of command.prefix) if (part.type === "Assignment") assigned.push(assignmentText(part, values));
  for (const part of command.suffix) {
    if (part.type === "Word") words.push(wordText(part, values));
    else if (part.type === "Assignment") words.push(assignmentText(part, values));
  }
  const targets = filesWritten(command.redirects, values);
  const holds = !place.plain && holdsSubstitution(command);
  const substituted = place.substituted || holds;
  if (holds) descend(command, place, walk);
  const input = inputText(command.redirects, place.input, plainReading(values));
  if (words.length > 0) emit(words, { ...place, substituted, targets, assigned, input }, walk);
  else emitRedirection(targets, place, walk);
  return true;
}

/** Finds a command with its own words: takes wrappers off, and goes into the commands that stand in its words. */
function emit(words: readonly string[], place: Found, walk: Walk): void {
  const inner = unwrap(words);
  const wrappers = [...place.wrappers, ...inner.wrappers];
  const deeper = { ...place, wrappers, nesting: place.nesting + 1, input: null };
  const script = inner.script ?? shellScript(inner.words) ?? (readsItsInput(inner.words) ? place.input : null);
  // `eval` alone runs in this very shell.
  const where = script === null || inner.words[0] === "eval" ? deeper : inOwnShell(deeper, walk);
  if (script !== null && isLiteral(script) && takeApart(script, given(where, behindScript(inner.words)), walk)) {
    emitRedirection(place.targets, place, walk);
    return;
  }
  const assigned = [...place.assigned, ...inner.assigned];
  found(inner.words, { ...place, wrappers, assigned }, inner.folder, walk);
  callFunction(inner.words, deeper, walk);
  for (const nested of nestedCommands(inner.words)) {
    if (place.nesting >= NESTING_LIMIT) emitBare(NOT_LITERAL, place, walk);
    else emit(nested, { ...deeper, assigned: [] }, walk);
  }
}

/** A function's body, read again with the words of a call, for those who know variables. */
function callFunction(words: readonly string[], place: Found, walk: Walk): void {
  const body = place.values === undefined ? undefined : walk.functions.get(words[0] ?? "");
  const cost = body === undefined ? 0 : body.end - body.pos;
  if (body === undefined || place.nesting > NESTING_LIMIT || 2 * cost > walk.left) return;
  spend(cost, walk);
  const where = given(place, [null, ...words.slice(1)]);
  const values = where.values === undefined ? undefined : constantsOf(body, where.values, place.plain);
  walk.stack.push({ node: body, place: { ...where, values } });
}

/** A compound command's redirection, or one without a command, writes by itself. */
function emitRedirection(targets: readonly string[], place: Place, walk: Walk): void {
  if (targets.length > 0) found([], { ...place, targets, assigned: [] }, null, walk);
}

function emitBare(program: string, place: Place, walk: Walk): void {
  found([program], { ...place, targets: [], assigned: [] }, null, walk);
}

function found(words: readonly string[], place: Found, folder: string | null, walk: Walk): void {
  const { targets, background, substituted, fed, wrappers, assigned, shells } = place;
  const own = { background, substituted, fed, wrappers, assigned, folder, shells };
  walk.found.push({ program: words[0] ?? "", words, redirectsToFile: targets.length > 0, targets, ...own });
}

/** A call of a function the line itself defines is no program: its body's commands stand in the list already. */
function withoutOwnFunctions(walk: Walk): readonly SimpleCommand[] {
  if (walk.functions.size === 0) return walk.found;
  return walk.found.filter((command) => !walk.functions.has(command.program) || command.redirectsToFile);
}
