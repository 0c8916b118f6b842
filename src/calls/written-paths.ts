/** Argument names under which tools that write take a file. */
const NAMES: ReadonlySet<string> = new Set([
  ..."path file_path filePath filepath absolute_path absolutePath notebook_path filename file target_file targetFile".split(
    " ",
  ),
  ..."TargetFile destination dest new_path newPath to target uri relative_path relativePath".split(" "),
]);
/** Argument names that hold a list of files, or of edits that each name one. */
const LISTS: readonly string[] = ["paths", "files", "edits", "changes", "operations"];
/** Argument names under which tools take a patch, which names its files itself. */
const PATCHES: readonly string[] = ["input", "patch", "patchText", "command", "cmd", "diff"];

/** The files a write tool names, as words: by its arguments, in their lists, and in a patch of the `*** Begin Patch` form. */
export function writtenWords(input: unknown): readonly string[] {
  if (typeof input === "string") return patchedFiles(input);
  if (typeof input !== "object" || input === null) return [];
  // One tool that also shows files says so in an argument.
  if (Reflect.get(input, "command") === "view") return [];
  const named = Object.entries(input).flatMap(([name, value]) =>
    NAMES.has(name) && typeof value === "string" && value !== "" ? [bare(value)] : [],
  );
  const listed = LISTS.flatMap((name) => {
    const list: unknown = Reflect.get(input, name);
    if (!Array.isArray(list)) return [];
    return list.flatMap((one: unknown) => (typeof one === "string" ? [bare(one)] : writtenWords(one)));
  });
  const patched = PATCHES.flatMap((name) => {
    const value: unknown = Reflect.get(input, name);
    const words = Array.isArray(value) ? value : [value];
    return words.flatMap((one: unknown) => (typeof one === "string" ? patchedFiles(one) : []));
  });
  return [...named, ...listed, ...patched];
}

/** The files a tool that moves takes away, as words. */
export function movedWords(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    /^(?:src|source|from|old)_?(?:path|file)?$/i.test(name) && typeof value === "string" && value !== ""
      ? [bare(value)]
      : [],
  );
}

/**
 * The files that a patch adds, updates, deletes or moves to, and those of OMP's own form, each `[path#tag]` above its lines. A patch's own
 * lines begin with a sign, so they are never taken for these.
 */
export function patchedFiles(text: string): readonly string[] {
  if (!text.includes("*** Begin Patch")) return text.startsWith("[") ? taggedFiles(text) : [];
  const heads = text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  return [...heads].map(([, path = ""]) => path.trim());
}

function taggedFiles(text: string): readonly string[] {
  return [...text.matchAll(/^\[([^\]\n]+)#[0-9A-Fa-f]{2,8}\]\s*$/gm)].map(([, path = ""]) => path);
}

/** OMP takes a selector behind a path (`src/a.ts:10-40`), which is no part of the file's name. */
function bare(path: string): string {
  const local = path.startsWith("file://") ? path.slice("file://".length) : path;
  return local.replace(/:(?:\d+(?:[-+]\d*)?(?:,\d+(?:[-+]\d*)?)*|raw|conflicts)$/, "");
}
