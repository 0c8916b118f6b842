import { remembering } from "../base/remembering.ts";

/**
 * RFC 8785 canonical JSON: keys in UTF-16 order, numbers as ECMAScript writes them, no space. Own code instead of the
 * package `canonicalize`, which walks by recursion and ends in a RangeError on deeply nested input, where a tool call
 * must still have an identity; strings and numbers are JSON.stringify's, which is what the RFC prescribes. Values are
 * what JSON.parse returns; anything else (a function, NaN) is null, and a value inside itself is null, never an endless
 * walk. Each call of a session is named by this text at least twice, so the walk keeps one step an object, not a value.
 * Keys of the outermost object that stand in `without` are left out.
 */
export function canonicalJson(value: unknown, without: readonly string[] = []): string {
  if (typeof value !== "object" || value === null) return scalar(value);
  return flat(value, without) ?? walked(value, without);
}

/** An object that holds no other, as most calls' arguments are, needs no walk; null for any other. */
function flat(container: object, without: readonly string[]): string | null {
  if (Array.isArray(container)) return null;
  let text = "";
  for (const key of inOrder(Object.keys(container))) {
    const value: unknown = Reflect.get(container, key);
    if (typeof value === "object" && value !== null) return null;
    if (value === undefined || without.includes(key)) continue;
    text += `${text === "" ? "" : ","}${keyText(key)}${scalar(value)}`;
  }
  return `{${text}}`;
}

function walked(value: object, without: readonly string[]): string {
  const open: Open[] = [];
  const inside = new Set<object>();
  let text = "";
  const write = (one: unknown): void => {
    if (typeof one !== "object" || one === null) text += scalar(one);
    else if (inside.has(one)) text += "null";
    else {
      inside.add(one);
      open.push(opened(one, open.length === 0 ? without : []));
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

function opened(container: object, without: readonly string[]): Open {
  if (Array.isArray(container)) return { container, keys: null, values: container, at: 0 };
  const keys = inOrder(
    Object.keys(container).filter((key) => Reflect.get(container, key) !== undefined && !without.includes(key)),
  );
  return { container, keys, values: keys.map((key): unknown => Reflect.get(container, key)), at: 0 };
}

/** The default order of sort() is the UTF-16 order the RFC asks for. */
function inOrder(keys: string[]): readonly string[] {
  return keys.length < 2 ? keys : keys.sort();
}

function scalar(value: unknown): string {
  if (typeof value === "bigint") return JSON.stringify(String(value));
  return JSON.stringify(value) ?? "null";
}
