import { operandsOf, type PlacedCommand } from "../calls/named-paths.ts";
import { commandEffect } from "../shell/effect.ts";
import { nestedCommands } from "../shell/nested-commands.ts";
import { commandsOfWords } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";

/** A word of a command that names what it writes. */
export interface WrittenWord {
  readonly word: string;
  /** What lies below it goes along. */
  readonly removed: boolean;
}

/**
 * The words of a command that name files it writes or removes, its redirections included. `feeding` is the stage before it in a pipeline,
 * whose words `xargs` hands on. What a program does inside is out of sight.
 */
export function writtenBy({ command }: PlacedCommand, feeding: PlacedCommand | null): readonly WrittenWord[] {
  const targets = written(command.targets);
  const name = programBasename(command.program);
  const words = command.words;
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  const own = rule === undefined ? othersWrite(name, words) : rule(words);
  const handedOn = command.wrappers.includes("xargs") && feeding !== null && (rule !== undefined || own.length > 0);
  const handed = handedOn && namers.has(programBasename(feeding.command.program)) ? feeding.command.words : [];
  return [...own, ...written(operandsOf(handed)), ...targets];
}

/** Programs whose words or answers are names of files. */
const namers: ReadonlySet<string> = new Set(["find", "fd", "ls", "echo", "printf", "realpath", "readlink"]);

type WritingRule = (words: readonly string[]) => readonly WrittenWord[];

const removes: WritingRule = (words) => operandsOf(words).map((word) => ({ word, removed: true }));
/** They act on another machine or in a container; here they only read what they are given. */
const elsewhere: WritingRule = () => [];

const rules: Readonly<Record<string, WritingRule>> = {
  ...Object.fromEntries(["rm", "rmdir", "shred", "unlink", "trash"].map((name) => [name, removes])),
  ...Object.fromEntries(
    "docker podman nerdctl kubectl helm gh glab aws gcloud az gsutil ssh terraform pulumi echo"
      .split(" ")
      .map((name) => [name, elsewhere]),
  ),
  ...Object.fromEntries(
    ["cp", "rsync", "scp", "install", "ln"].map((name) => [name, (words: readonly string[]) => copied(words)]),
  ),
  mv: (words) => [...sourcesOf(words).map((word) => ({ word, removed: true })), ...copied(words)],
  dd: (words) => written(words.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : []))),
  find: (words) => written(findWrites(words) ? rootsOf(words) : []),
  git: (words) => gitWrites(words),
  tar: (words) => written(tarWrites(words)),
  bsdtar: (words) => written(tarWrites(words)),
  zip: (words) => written(operandsOf(words).slice(0, 1)),
  unzip: (words) => written([optionValue(words, ["-d"]) ?? "."]),
};

/** Any other program writes what it names when it is known to change something, or edits in place. */
function othersWrite(name: string, words: readonly string[]): readonly WrittenWord[] {
  const inPlace =
    (/^(?:perl|ruby)$/.test(name) && words.some((word) => /^-[a-zA-Z0-9]*i/.test(word))) ||
    /^(?:ed|ex)$/.test(name) ||
    // Without a screen an editor is there to write.
    (/^n?vim?$/.test(name) && words.some((word) => /^-[a-z]*es?$/.test(word)));
  const [command] = commandsOfWords(words) ?? [];
  const changes = command !== undefined && commandEffect(command) === "changes";
  return written(inPlace || changes ? operandsOf(words) : []);
}

function written(words: readonly string[]): readonly WrittenWord[] {
  return words.map((word) => ({ word, removed: false }));
}

/** What is copied or moved lies then under its own name in the destination, should that be a folder. */
function copied(words: readonly string[]): readonly WrittenWord[] {
  const sources = sourcesOf(words);
  const operands = operandsOf(words);
  const last = operands.length > 1 ? operands.at(-1) : ".";
  const destination = optionValue(words, ["-t", "--target-directory"]) ?? last ?? ".";
  const named = sources.map((word) => `${destination.replace(/\/$/, "")}/${programBasename(word.replace(/\/+$/, ""))}`);
  return written([destination, ...named]);
}

function sourcesOf(words: readonly string[]): readonly string[] {
  const into = optionValue(words, ["-t", "--target-directory"]);
  const operands = operandsOf(words);
  if (into !== null) return operands.filter((word) => word !== into);
  return operands.length > 1 ? operands.slice(0, -1) : operands;
}

function findWrites(words: readonly string[]): boolean {
  if (words.includes("-delete")) return true;
  return nestedCommands(words).some((nested) =>
    (commandsOfWords(nested) ?? []).some((command) => commandEffect(command) === "changes"),
  );
}

function rootsOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word, at) => at > 0 && /^[-(!]/.test(word) && !/^-[HLPDO]/.test(word));
  return words.slice(1, end === -1 ? words.length : end).filter((word) => !word.startsWith("-"));
}

/** These put files of the tree back, away or elsewhere; the rest of git leaves the files that a word names as they are. */
const gitTreeVerbs: ReadonlySet<string> = new Set("checkout restore rm mv clone init worktree".split(" "));

function gitWrites(words: readonly string[]): readonly WrittenWord[] {
  const folder = optionValue(words, ["-C"]);
  const [command] = commandsOfWords(words) ?? [];
  if (command === undefined || commandEffect(command) !== "changes") return [];
  const rest = words.slice(folder === null ? 1 : words.indexOf(folder) + 1);
  const verb = rest.findIndex((word) => !word.startsWith("-"));
  const named = gitTreeVerbs.has(rest[verb] ?? "") ? operandsOf(rest.slice(verb)) : [];
  const at = (word: string): string => (folder === null || /^[/~]/.test(word) ? word : `${folder}/${word}`);
  return written([...named.map(at), folder ?? "."]);
}

function tarWrites(words: readonly string[]): readonly string[] {
  const first = /^[A-Za-z]+$/.test(words[1] ?? "") ? [words[1] ?? ""] : [];
  const clusters = [...first, ...words.slice(1).filter((word) => /^-[A-Za-z]/.test(word))];
  const unpacks = clusters.some((word) => word.includes("x")) || words.some((word) => /^--(?:extract|get)$/.test(word));
  if (unpacks) return [optionValue(words, ["-C", "--directory"]) ?? "."];
  const at = words.findIndex((word, index) => (index === 1 || word.startsWith("-")) && /^-?[A-Za-z]*f$/.test(word));
  const archive = at === -1 ? optionValue(words, ["--file"]) : (words[at + 1] ?? null);
  return archive === null ? [] : [archive];
}

/** The value of an option, in the next word or behind `=`. */
function optionValue(words: readonly string[], options: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    if (options.includes(word)) return words[at + 1] ?? null;
    const attached = options.find((option) => option.startsWith("--") && word.startsWith(`${option}=`));
    if (attached !== undefined) return word.slice(attached.length + 1);
  }
  return null;
}
