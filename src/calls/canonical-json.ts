import { remembering } from "../base/remembering.ts";

/**
 * RFC 8785 canonical JSON: keys in UTF-16 order, numbers as ECMAScript writes them, no space. Own code instead of the
 * package `canonicalize`, which walks by recursion and ends in a RangeError on deeply nested input, where a tool call
 * must still have an identity; strings and numbers are JSON.stringify's, which is what the RFC prescribes. Values are
 * what JSON.parse returns; anything else (a function, NaN) is null, and a value inside itself is null, never an endless
 * walk. Each call of a session is named by this text at least twice, so the walk keeps one step an object, not a value.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return scalar(value);
  const open: Open[] = [];
  const inside = new Set<object>();
  let text = "";
  const write = (one: unknown): void => {
    if (typeof one !== "object" || one === null) text += scalar(one);
    else if (inside.has(one)) text += "null";
    else {
      inside.add(one);
      open.push(opened(one));
      text += Array.isArray(one) ? "[" : "{";
    }
  };
  write(value);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { container, keys, values, at } = top;
    if (at === values.length) {
      text += keys === null ? "]" : "}";
      inside.delete(container);
      open.pop();
      continue;
    }
    top.at++;
    if (at > 0) text += ",";
    if (keys !== null) text += keyText(keys[at] ?? "");
    write(values[at]);
  }
  return text;
}

/** The same few names of arguments come again and again. */
const keyText = remembering((key) => `${JSON.stringify(key)}:`, { texts: 256, chars: 8192 });

/** An array or object of which `at` values are written. */
interface Open {
  readonly container: object;
  /** Null for an array. */
  readonly keys: readonly string[] | null;
  readonly values: readonly unknown[];
  at: number;
}

function opened(container: object): Open {
  if (Array.isArray(container)) return { container, keys: null, values: container, at: 0 };
  // The default order of sort() is the UTF-16 order the RFC asks for.
  const keys = Object.keys(container)
    .filter((key) => Reflect.get(container, key) !== undefined)
    .sort();
  return { container, keys, values: keys.map((key): unknown => Reflect.get(container, key)), at: 0 };
}

function scalar(value: unknown): string {
  if (typeof value === "bigint") return JSON.stringify(String(value));
  return JSON.stringify(value) ?? "null";
}
