import type { Source } from "./sources.ts";

/** Words that say nothing about what a file answers. */
const empty = /^(utils?|helpers?|managers?|common|misc|shared|stuff|index)$/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const longest = 300;
const reason = /^\s*(\/\/|\/?\*+)\s*Long because: \S/m;
const silencer = /(\/\/|\/\*+|\{\/\*)\s*(biome-ignore|@ts-(ignore|nocheck|expect-error))|\bas any\b/g;

/** One sentence for each word of a file's path that names nothing, and for a name that is not kebab-case. */
export function emptyNames({ path }: Pick<Source, "path">): string[] {
  const words = path.split("/").map((part) => part.replace(/(\.test)?\.(tsx?|json)$/, ""));
  return words.flatMap((word) => {
    if (!kebab.test(word)) return [`${path}: "${word}" is not kebab-case`];
    const nothing = word.split("-").filter((part) => empty.test(part));
    return nothing.map((part) => `${path}: "${part}" says nothing; name the file by the question it answers`);
  });
}

/** A sentence for a file over 300 lines whose first ten do not say why. */
export function tooLong({ path, text }: Pick<Source, "path" | "text">): string[] {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= longest || reason.test(lines.slice(0, 10).join("\n"))) return [];
  return [`${path}: ${lines.length} lines; split it, or say "Long because: …" in a comment at its head`];
}

/** One sentence for each place where a checker is told to look away. */
export function silenced({ path, text }: Pick<Source, "path" | "text">): string[] {
  return [...text.matchAll(silencer)].map((match) => `${path}: "${match[0]}" silences a checker; mend what it found`);
}
