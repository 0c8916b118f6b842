import { forEachChild, type Pipeline, parse, type SyntaxNode } from "unbash";
import { readsItsInput } from "./nested-commands.ts";
import { wordsOf } from "./said-text.ts";
import { type SimpleCommand, simpleCommands } from "./simple-commands.ts";
import { unwrap } from "./wrappers.ts";

/** One piece of a script as a person reads it: a command, or a compound one such as a loop. */
export interface Statement {
  readonly text: string;
  /** It is one command, whose words the text is; commands in its substitutions come after it. */
  readonly plain: boolean;
  readonly commands: readonly SimpleCommand[];
}

/** A script's pieces in order, the parts of lists and pipelines apart; null when it does not parse. */
export function statementsOf(script: string): readonly Statement[] | null {
  if (script.length > scriptCharsMax) return null;
  const parsed = parse(script);
  if ((parsed.errors?.length ?? 0) > 0) return null;
  const found: Statement[] = [];
  const functions = new Set<string>();
  for (const statement of parsed.commands) {
    for (const node of piecesOf(statement)) {
      const parts = simpleCommands(sourceOf(node, script));
      if (parts === null) return null;
      const own = node.type === "Statement" ? node.command : node;
      if (own.type === "Function") functions.add(own.name.value);
      // A call of a function is none of a program: the body's commands stand where it is defined.
      const commands = parts.filter(({ program, redirectsToFile }) => redirectsToFile || !functions.has(program));
      found.push({ text: script.slice(node.pos, node.end), plain: own.type === "Command", commands });
    }
  }
  return found;
}

/**
 * A script's complete commands as a shell's grammar has them, which is what a person pastes at once: `a && b | c` and `a; b` are one, two
 * lines are two. Null when it does not parse.
 */
export function completeCommands(script: string): readonly string[] | null {
  if (script.length > scriptCharsMax) return null;
  const parsed = parse(script);
  if ((parsed.errors?.length ?? 0) > 0) return null;
  const starts: number[] = [];
  let end = 0;
  for (const { pos, end: until } of parsed.commands) {
    if (starts.length === 0 || script.slice(end, pos).includes("\n")) starts.push(pos);
    end = until;
  }
  return starts.map((start, at) => script.slice(start, starts[at + 1] ?? script.length).trim());
}

function piecesOf(statement: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const stack: SyntaxNode[] = [statement];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isList(node)) stack.push(...[...node.commands].reverse());
    else if (node.type === "Statement" && isList(node.command)) stack.push(node.command);
    else found.push(node);
  }
  return found;
}

type List = Extract<SyntaxNode, { type: "AndOr" | "Pipeline" }>;

/** What a pipeline feeds a shell is known only from the whole of it. */
function isList(node: SyntaxNode): node is List {
  return node.type === "AndOr" || (node.type === "Pipeline" && !feedsShell(node));
}

function feedsShell({ commands }: Pipeline): boolean {
  return commands.some((node, at) => at > 0 && node.type === "Command" && readsItsInput(unwrap(wordsOf(node)).words));
}

/** A piece with the bodies of its here-documents, which stand behind its line. */
function sourceOf(node: SyntaxNode, script: string): string {
  const text = script.slice(node.pos, node.end);
  if (!text.includes("<<")) return text;
  const bodies: string[] = [];
  const stack: SyntaxNode[] = [node];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.type === "HereDoc" && next.body.pos >= node.end && next.closing !== undefined)
      bodies.push(script.slice(next.body.pos, next.closing.end).replace(/\n?$/, "\n"));
    const children: SyntaxNode[] = [];
    forEachChild(next, (child) => children.push(child));
    stack.push(...children.reverse());
  }
  return bodies.length === 0 ? text : `${text}\n${bodies.join("")}`;
}

const scriptCharsMax = 1 << 20;
