import { isAbsolute, resolve } from "node:path";

/**
 * Arguments with the file they name made absolute: Claude Code tells its hooks an absolute `file_path` where its transcript keeps the one
 * the model wrote (measured, 2.1.332), and both are the same look. Only where the folder is known; addresses and `~` are left alone.
 */
export function absoluteInput(input: unknown, directory: string | null): unknown {
  if (directory === null || typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const named = names.filter((name) => isRelativePath(Reflect.get(input, name)));
  if (named.length === 0) return input;
  const absolute = named.map((name) => [name, resolve(directory, String(Reflect.get(input, name)))] as const);
  return { ...input, ...Object.fromEntries(absolute) };
}

const names = ["path", "file_path", "filePath", "notebook_path"];

function isRelativePath(value: unknown): boolean {
  return (
    typeof value === "string" && value !== "" && !isAbsolute(value) && !/^(?:~|[a-z][a-z0-9+.-]*:\/\/)/i.test(value)
  );
}
