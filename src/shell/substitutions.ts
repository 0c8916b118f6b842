import { type Command, forEachChild, type SyntaxNode } from "unbash";

/** Whether a substitution can stand in a script: each has a parenthesis, a backtick, or the brace of `${ command; }`. */
export function maySubstitute(script: string): boolean {
  return /[(`{]/.test(script);
}

/** Looks through the command's words and redirections, not into the substitutions themselves. */
export function holdsSubstitution(command: Command): boolean {
  const stack: SyntaxNode[] = [command];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (SUBSTITUTIONS.has(node.type)) return true;
    forEachChild(node, (child) => stack.push(child));
  }
  return false;
}

const SUBSTITUTIONS: ReadonlySet<string> = new Set([
  "CommandExpansion",
  "ProcessSubstitution",
  "ArithmeticCommandExpansion",
]);
