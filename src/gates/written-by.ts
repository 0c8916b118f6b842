import { operandsOf } from "../calls/named-paths.ts";
import { commandEffect } from "../shell/effect.ts";
import { nestedCommands } from "../shell/nested-commands.ts";
import { NOT_LITERAL } from "../shell/shell-words.ts";
import { commandsOfWords, type SimpleCommand } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";
import type { Picks } from "./find-picks.ts";
import { found, type NamedWord } from "./names-handed.ts";

/** A word of a command that names what it writes. */
export interface WrittenWord {
  readonly word: string;
  /** What lies below it goes along. */
  readonly removed: boolean;
  /** Which of it. */
  readonly picks?: Picks;
}

/**
 * The words of a command that name files it writes or removes, its redirections included. `handed` are the names that other commands of the
 * line give it, for words of its own that only the shell knows. What a program does inside is out of sight.
 */
export function writtenBy(command: SimpleCommand, handed: () => readonly NamedWord[]): readonly WrittenWord[] {
  const { words, wrappers } = command;
  const name = programBasename(command.program);
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  const own = [
    ...(rule === undefined ? othersWrite(name, command) : rule(words, command)),
    ...written(command.targets),
  ];
  const byXargs = wrappers.includes("xargs");
  if (!own.some(({ word }) => word === NOT_LITERAL || (byXargs && /^[{%]\}?$/.test(word)))) return own;
  const goes = own.some((one) => one.removed);
  const apart = !byXargs && namesApart.has(name);
  const taken = handed().filter(({ alone }) => alone === true || !apart);
  return [...own, ...taken.map((one) => ({ ...one, removed: goes || one.picks !== undefined }))];
}

/** Of these an unknown word is as often the archive or the other end as one of the names. */
const namesApart: ReadonlySet<string> = new Set(["tar", "bsdtar", "zip", "unzip", "git", "dd", "cp", "rsync", "scp"]);

/** `command` is there where the words are the whole of one. */
type WritingRule = (words: readonly string[], command?: SimpleCommand) => readonly WrittenWord[];

const removes: WritingRule = (words) => removed(operandsOf(words));
/** They act on another machine or in a container; here they only read what they are given. */
const elsewhere: WritingRule = () => [];

const rules: Readonly<Record<string, WritingRule>> = {
  ...Object.fromEntries(
    ["rm", "rmdir", "shred", "unlink", "trash", "trash-put", "rimraf", "srm"].map((name) => [name, removes]),
  ),
  ...Object.fromEntries("helm gh glab az ssh terraform pulumi echo".split(" ").map((name) => [name, elsewhere])),
  ...Object.fromEntries(
    "docker podman nerdctl kubectl oc aws gcloud gsutil"
      .split(" ")
      .map((name) => [name, (words: readonly string[]) => broughtHere(words)]),
  ),
  ...Object.fromEntries(
    ["cp", "scp", "install", "ln"].map((name) => [name, (words: readonly string[]) => copied(words)]),
  ),
  mv: (words) => [...removed(sourcesOf(words)), ...copied(words)],
  dd: (words) => written(words.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : []))),
  rsync: (words) => [
    ...copied(words).map((one, at) => ({ ...one, removed: at === 0 && mirrors(words) })),
    ...(words.includes("--remove-source-files") ? removed(sourcesOf(words)) : []),
  ],
  find: (words) => (findWrites(words) ? found(words).map((one) => ({ ...one, removed: true })) : []),
  ...Object.fromEntries(["npx", "bunx", "pnpx"].map((name) => [name, (words: readonly string[]) => fetched(words)])),
  git: (words, command) => gitWrites(words, command ?? null),
  tar: (words) => tarAll(words),
  bsdtar: (words) => tarAll(words),
  zip: (words) => [
    ...written(operandsOf(words).slice(0, 1)),
    ...(words.some((word) => /^-\w*m|^--move$/.test(word)) ? removed(operandsOf(words).slice(1)) : []),
  ],
  unzip: (words) => written([optionValue(words, ["-d"]) ?? "."]),
};

/** Any other program writes what it names when it is known to change something, or edits in place. */
function othersWrite(name: string, command: SimpleCommand): readonly WrittenWord[] {
  return changesAnything(command) || editsInPlace(name, command.words) ? written(operandsOf(command.words)) : [];
}

/** By its own words: what is redirected is written too, and what runs behind the line's back may change anything. */
function changesAnything(command: SimpleCommand): boolean {
  return commandEffect({ ...command, redirectsToFile: false, background: false }) === "changes";
}

function editsInPlace(name: string, words: readonly string[]): boolean {
  return (
    (/^(?:perl|ruby)$/.test(name) && words.some((word) => /^-[a-zA-Z0-9]*i/.test(word))) ||
    /^(?:ed|ex)$/.test(name) ||
    // Without a screen, or with commands of its own, an editor is there to write.
    (/^n?vim?$/.test(name) && words.some((word) => /^(?:-[a-z]*es?|-c|\+.+)$/.test(word)))
  );
}

function written(words: readonly string[]): readonly WrittenWord[] {
  return words.map((word) => ({ word, removed: false }));
}

function removed(words: readonly string[]): readonly WrittenWord[] {
  return words.map((word) => ({ word, removed: true }));
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

/** Whether rsync takes away what the source does not hold. */
function mirrors(words: readonly string[]): boolean {
  return words.some((word) => /^--del(?:ete(?:-\w+)*)?$/.test(word));
}

/** What is copied from another machine or a container lands in the last word, where that names no place there. */
function broughtHere(words: readonly string[]): readonly WrittenWord[] {
  const operands = operandsOf(words);
  const last = operands.at(-1) ?? "";
  const brings = operands.slice(0, 3).some((word) => /^(?:cp|sync|mv|rsync)$/.test(word)) && operands.length > 2;
  return written(brings && !/^[\w.-]+:/.test(last) ? [last] : []);
}

/** A package's program writes what it writes; `npx` only fetches it. */
function fetched(words: readonly string[]): readonly WrittenWord[] {
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith("-"));
  const program = (words[at] ?? "").replace(/(?<=.)@[^/]*$/, "");
  return at === -1 ? [] : (rules[program]?.([program, ...words.slice(at + 1)]) ?? []);
}

/** These put files of the tree back, away or elsewhere; the rest of git leaves the files that a word names as they are. */
const gitTreeVerbs: ReadonlySet<string> = new Set("checkout restore rm mv clone init worktree".split(" "));

/** What lies below a folder that is named to these goes along. */
const gitPathVerbs: ReadonlySet<string> = new Set("checkout restore rm mv".split(" "));

function gitWrites(words: readonly string[], whole: SimpleCommand | null): readonly WrittenWord[] {
  const command = whole ?? commandsOfWords(words)?.[0] ?? null;
  if (command === null || !changesAnything(command)) return [];
  const tree = command.assigned.findLast((one) => one.startsWith("GIT_WORK_TREE="))?.slice("GIT_WORK_TREE=".length);
  const folder = optionValue(words, ["-C", "--work-tree"]) ?? tree ?? null;
  const rest = words.slice(folder !== null && words.includes(folder) ? words.indexOf(folder) + 1 : 1);
  const verb = rest.findIndex((word) => !word.startsWith("-"));
  const named = gitTreeVerbs.has(rest[verb] ?? "") ? operandsOf(rest.slice(verb)) : [];
  const at = (word: string): string => (folder === null || /^[/~]/.test(word) ? word : `${folder}/${word}`);
  // Of a whole tree it is not known that git holds the place at all.
  const removes = gitPathVerbs.has(rest[verb] ?? "");
  const of = named.map((word) => ({ word: at(word), removed: removes && !/^(?:\.{0,2}\/?|:\/)$/.test(word) }));
  const into = optionValue(rest, ["--output", "-o", "--output-directory"]);
  const below = optionValue(rest, ["--directory"]);
  return [
    ...of,
    ...written([folder ?? ".", ...(into === null ? [] : [at(into)])]),
    ...removed(below === null ? [] : [at(below)]),
  ];
}

function tarAll(words: readonly string[]): readonly WrittenWord[] {
  return [...written(tarWrites(words)), ...(words.includes("--remove-files") ? removed(operandsOf(words)) : [])];
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
