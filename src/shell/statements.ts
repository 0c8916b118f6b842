import { parse, type SyntaxNode } from "unbash";
import { type SimpleCommand, simpleCommands } from "./simple-commands.ts";

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
  const stack: SyntaxNode[] = [...parsed.commands].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "AndOr" || node.type === "Pipeline") stack.push(...[...node.commands].reverse());
    else if (node.type === "Statement" && isList(node.command)) stack.push(node.command);
    else {
      const text = script.slice(node.pos, node.end);
      const commands = simpleCommands(text);
      if (commands === null) return null;
      const plain = node.type === "Command" || (node.type === "Statement" && node.command.type === "Command");
      found.push({ text, plain, commands });
    }
  }
  return found;
}

function isList(node: SyntaxNode): boolean {
  return node.type === "AndOr" || node.type === "Pipeline";
}

const scriptCharsMax = 1 << 20;
