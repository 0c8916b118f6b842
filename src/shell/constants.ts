import { type Assignment, forEachChild, type SyntaxNode } from "unbash";
import { isLiteral, type Values, wordText } from "./shell-words.ts";

/**
 * The variables that a script gives one literal value and no other: `D=~/x; rm $D/y`. One that a loop, `read` or a second assignment may
 * change is left out, also where the script was told it. Whether the assignment runs before the use is not looked at. Within the words of a
 * `plain` script, which holds no substitution, no command stands.
 */
export function constantsOf(script: SyntaxNode, given: Values, plain: boolean): Values {
  const values = new Map(given);
  const changed = new Set<string>();
  const stack: SyntaxNode[] = [script];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "Command") {
      // Before a command's own words an assignment holds for that command alone.
      if (node.name === undefined) for (const part of node.prefix) take(part, values, changed, given);
      for (const part of node.suffix) take(part, values, changed, given);
      if (node.name?.value === "read" || node.name?.value === "unset")
        for (const part of node.suffix) if (part.type === "Word") changed.add(part.value);
      if (plain) continue;
    } else if (node.type === "For" || node.type === "Select") changed.add(node.name.value);
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => children.push(child));
    stack.push(...children.reverse());
  }
  for (const name of changed) values.delete(name);
  return values;
}

function take(
  part: { readonly type: string } | Assignment,
  values: Map<string, string>,
  changed: Set<string>,
  given: Values,
): void {
  if (!isAssignment(part)) return;
  const { name, value } = part;
  const text = value.type === "Word" && part.append !== true && part.index === undefined ? wordText(value, values) : "";
  const before = values.get(name);
  if (text === "" || !isLiteral(text)) changed.add(name);
  else if (before !== undefined && before !== text && before !== given.get(name)) changed.add(name);
  else values.set(name, text);
}

function isAssignment(part: { readonly type: string }): part is Assignment {
  return part.type === "Assignment";
}
