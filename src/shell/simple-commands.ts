/**
 * A shell line taken apart into the commands it may run. The line is parsed, never split by hand (`unbash`); every
 * command in pipes, lists, loops, functions, subshells, substitutions, and in the strings given to `bash -c`, `eval`,
 * `trap`, `watch` counts, as do the commands of `find -exec` and `xargs`. What another machine runs (`ssh host "…"`) and
 * the bodies of here-documents are no commands of this line. The walk keeps its own stack, and each string is parsed at
 * most a bounded number of times, so neither depth nor size can end the core: such a line is null, "unknown".
 */
import { type Command, forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";
import { nestedCommands, shellScript } from "./nested-commands.ts";
import { filesWritten } from "./redirections.ts";
import { assignmentText, isLiteral, NOT_LITERAL, wordText } from "./shell-words.ts";
import { unwrap } from "./wrappers.ts";

export interface SimpleCommand {
  /** The program as written, after assignments and wrappers; "" for a bare redirection. */
  readonly program: string;
  /** The program and its words. What only the running shell knows is NOT_LITERAL ("\0") inside its word. */
  readonly words: readonly string[];
  readonly redirectsToFile: boolean;
  /** The files its redirections write, as words. */
  readonly targets: readonly string[];
  /** It runs while the shell goes on (`&`, `coproc`). */
  readonly background: boolean;
  /** It stands in a command or process substitution, or one of its words holds one. */
  readonly substituted: boolean;
  /** It gets its input from an earlier stage of a pipeline. */
  readonly fed: boolean;
  /** Wrappers it was taken out of, outermost first: `env`, `sudo`, `timeout`, `tama` (for `tama wait … --`) … */
  readonly wrappers: readonly string[];
  /** Variables set for it alone, as `NAME=value` (`A=1 prog`, `env A=1 prog`). */
  readonly assigned: readonly string[];
}

/** A longer line is "unknown"; 1 MiB is far over what any harness hands to a shell as one argument. */
const LINE_LIMIT = 1 << 20;
const NESTING_LIMIT = 12;

/** The simple commands of the line in the order they stand in it; null when it does not parse. */
export function simpleCommands(line: string): readonly SimpleCommand[] | null {
  const before = lately.get(line);
  if (before !== undefined) return before;
  const walk = newWalk(line.length);
  const found = takeApart(line, AT_TOP, walk) && drain(walk) ? withoutOwnFunctions(walk) : null;
  if (line.length <= rememberedChars) {
    if (lately.size >= remembered) lately.clear();
    lately.set(line, found);
  }
  return found;
}

/** One call's line is asked about by the repeat rule, the ledger and the gates in turn; it is taken apart once. */
const lately = new Map<string, readonly SimpleCommand[] | null>();
const remembered = 32;
const rememberedChars = 8 * 1024;

/** The same for words that are already a command, such as the inside of `docker exec NAME …`. */
export function commandsOfWords(words: readonly string[]): readonly SimpleCommand[] | null {
  const walk = newWalk(words.reduce((sum, word) => sum + word.length, 0));
  emit(words, { ...AT_TOP, targets: [], assigned: [] }, walk);
  return drain(walk) ? withoutOwnFunctions(walk) : null;
}

interface Place {
  readonly background: boolean;
  readonly substituted: boolean;
  readonly fed: boolean;
  readonly wrappers: readonly string[];
  readonly nesting: number;
}

interface Found extends Place {
  readonly targets: readonly string[];
  readonly assigned: readonly string[];
}

interface Walk {
  readonly stack: { node: SyntaxNode; place: Place }[];
  readonly found: SimpleCommand[];
  readonly functions: Set<string>;
  /** Characters that may still be parsed; nested substitutions are parsed again at each level. */
  left: number;
}

const AT_TOP: Place = { background: false, substituted: false, fed: false, wrappers: [], nesting: 0 };

function newWalk(length: number): Walk {
  return { stack: [], found: [], functions: new Set(), left: 16 * length + LINE_LIMIT };
}

/** Parses a line and puts it on the stack; false when it does not parse or is too much. */
function takeApart(line: string, place: Place, walk: Walk): boolean {
  if (line.length > LINE_LIMIT || place.nesting > NESTING_LIMIT || !spend(line.length, walk)) return false;
  const script = parse(line);
  if ((script.errors?.length ?? 0) > 0) return false;
  walk.stack.push({ node: script, place });
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
      return descend(node, node.background === true ? { ...place, background: true } : place, walk);
    case "Coproc":
      return descend(node, { ...place, background: true }, walk);
    case "Pipeline":
      for (let at = node.commands.length - 1; at >= 0; at--) {
        const command = node.commands[at];
        if (command !== undefined) walk.stack.push({ node: command, place: at > 0 ? { ...place, fed: true } : place });
      }
      return true;
    case "Command":
      return visitCommand(node, place, walk);
    case "Redirected":
      emitRedirection(filesWritten(node.redirects), place, walk);
      return descend(node, place, walk);
    case "TestCommand":
      emitBare("[[", place, walk);
      return descend(node, place, walk);
    case "ArithmeticCommand":
      emitBare("((", place, walk);
      return descend(node, place, walk);
    case "Function":
      walk.functions.add(wordText(node.name));
      return descend(node, place, walk);
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return visitSubstitution(node, place, walk);
    default:
      return descend(node, place, walk);
  }
}

const SUBSTITUTIONS: ReadonlySet<string> = new Set([
  "CommandExpansion",
  "ProcessSubstitution",
  "ArithmeticCommandExpansion",
]);

type Substitution = Extract<SyntaxNode, { readonly script: ParsedScript | undefined }>;

/** `node.script` is parsed when it is first read, so its length is paid for before. */
function visitSubstitution(node: Substitution, place: Place, walk: Walk): boolean {
  if (!spend(node.text.length, walk)) return false;
  const script = node.script;
  if (script === undefined) return false;
  walk.stack.push({ node: script, place: { ...place, substituted: true, fed: false } });
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
  if (command.name !== undefined) words.push(wordText(command.name));
  for (const part of command.prefix) if (part.type === "Assignment") assigned.push(assignmentText(part));
  for (const part of command.suffix) {
    if (part.type === "Word") words.push(wordText(part));
    else if (part.type === "Assignment") words.push(assignmentText(part));
  }
  const targets = filesWritten(command.redirects);
  const substituted = place.substituted || holdsSubstitution(command);
  descend(command, place, walk);
  if (words.length > 0) emit(words, { ...place, substituted, targets, assigned }, walk);
  else emitRedirection(targets, place, walk);
  return true;
}

/** Finds a command with its own words: takes wrappers off, and goes into the commands that stand in its words. */
function emit(words: readonly string[], place: Found, walk: Walk): void {
  const inner = unwrap(words);
  const wrappers = [...place.wrappers, ...inner.wrappers];
  const deeper = { ...place, wrappers, nesting: place.nesting + 1 };
  const script = inner.script ?? shellScript(inner.words);
  if (script !== null && isLiteral(script) && takeApart(script, deeper, walk)) {
    emitRedirection(place.targets, place, walk);
    return;
  }
  walk.found.push({
    program: inner.words[0] ?? "",
    words: inner.words,
    redirectsToFile: place.targets.length > 0,
    targets: place.targets,
    background: place.background,
    substituted: place.substituted,
    fed: place.fed,
    wrappers,
    assigned: [...place.assigned, ...inner.assigned],
  });
  for (const nested of nestedCommands(inner.words)) {
    if (place.nesting >= NESTING_LIMIT) emitBare(NOT_LITERAL, place, walk);
    else emit(nested, { ...deeper, assigned: [] }, walk);
  }
}

/** A compound command's redirection, or one without a command, writes by itself. */
function emitRedirection(targets: readonly string[], place: Place, walk: Walk): void {
  if (targets.length > 0) found([], targets, place, walk);
}

function emitBare(program: string, place: Place, walk: Walk): void {
  found([program], [], place, walk);
}

function found(words: readonly string[], targets: readonly string[], place: Place, walk: Walk): void {
  const { background, substituted, fed, wrappers } = place;
  const redirectsToFile = targets.length > 0;
  walk.found.push({
    program: words[0] ?? "",
    words,
    redirectsToFile,
    targets,
    background,
    substituted,
    fed,
    wrappers,
    assigned: [],
  });
}

/** A call of a function the line itself defines is no program: its body's commands stand in the list already. */
function withoutOwnFunctions(walk: Walk): readonly SimpleCommand[] {
  if (walk.functions.size === 0) return walk.found;
  return walk.found.filter((command) => !walk.functions.has(command.program) || command.redirectsToFile);
}

/** Looks through the command's words and redirections, not into the substitutions themselves. */
function holdsSubstitution(command: Command): boolean {
  const stack: SyntaxNode[] = [command];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (SUBSTITUTIONS.has(node.type)) return true;
    forEachChild(node, (child) => stack.push(child));
  }
  return false;
}
