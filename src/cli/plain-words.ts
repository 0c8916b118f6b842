import type { ArgsDef } from "citty";

/** Flags by name, and the words beside them under `_`: the form citty gives. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Reads `--name value`, `--flag` and words without a dash: nearly every call, and all that a harness or a core sends. Null for any other
 * form (`--name=value`, `--no-flag`, `--`, an unknown flag, one given twice), which citty reads. citty is not asked first because importing it brings
 * node:util, which costs a start a third of what a whole empty program costs (docs/performance.md).
 */
export function plainValues(args: ArgsDef, given: readonly string[]): Values | null {
  const values: Record<string, unknown> = {};
  const words: string[] = [];
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? "";
    if (!word.startsWith("-")) {
      words.push(word);
      continue;
    }
    const name = word.slice(2);
    const type = word.startsWith("--") && Object.hasOwn(args, name) ? args[name]?.type : undefined;
    if (type === "boolean") values[name] = true;
    else if (type === "string") {
      const value = given[++at];
      if (value === undefined || value.startsWith("-")) return null;
      if (values[name] !== undefined && values[name] !== value) return null;
      values[name] = value;
    } else return null;
  }
  values["_"] = words;
  return values;
}
