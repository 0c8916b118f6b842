/**
 * RFC 8785 canonical JSON: keys in UTF-16 order, numbers as ECMAScript writes them, no space. Own code instead of the
 * package `canonicalize`, which walks by recursion and ends in a RangeError on deeply nested input, where a tool call
 * must still have an identity; strings and numbers are JSON.stringify's, which is what the RFC prescribes. Values are
 * what JSON.parse returns; anything else (a function, NaN) is null, and a value inside itself is null, never an endless
 * walk.
 */
export function canonicalJson(value: unknown): string {
  const out: string[] = [];
  const open = new Set<object>();
  const stack: Step[] = [{ value }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if ("text" in step) {
      out.push(step.text);
      if (step.closes !== undefined) open.delete(step.closes);
    } else if (typeof step.value !== "object" || step.value === null) out.push(scalar(step.value));
    else if (open.has(step.value)) out.push("null");
    else {
      open.add(step.value);
      pushReversed(stack, Array.isArray(step.value) ? arraySteps(step.value) : objectSteps(step.value));
    }
  }
  return out.join("");
}

type Step = { readonly text: string; readonly closes?: object } | { readonly value: unknown };

function arraySteps(array: readonly unknown[]): Step[] {
  const steps: Step[] = [{ text: "[" }];
  for (let at = 0; at < array.length; at++) {
    if (at > 0) steps.push({ text: "," });
    steps.push({ value: array[at] });
  }
  steps.push({ text: "]", closes: array });
  return steps;
}

function objectSteps(object: object): Step[] {
  const steps: Step[] = [{ text: "{" }];
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  // The default order of sort() is the UTF-16 order the RFC asks for; a key stands once in an object.
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, value] of entries) {
    steps.push({ text: `${steps.length > 1 ? "," : ""}${JSON.stringify(key)}:` }, { value });
  }
  steps.push({ text: "}", closes: object });
  return steps;
}

function scalar(value: unknown): string {
  if (typeof value === "bigint") return JSON.stringify(String(value));
  return JSON.stringify(value) ?? "null";
}

function pushReversed(stack: Step[], steps: readonly Step[]): void {
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at];
    if (step !== undefined) stack.push(step);
  }
}
