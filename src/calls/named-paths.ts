import { basename, join, normalize, resolve } from "node:path";
import { isLiteral, NOT_LITERAL, type Values } from "../shell/shell-words.ts";
import { knownCommands, type SimpleCommand } from "../shell/simple-commands.ts";
import { programBasename } from "../shell/wrappers.ts";

/** One command of a shell line with the folder it runs in, as far as `cd` tells. */
export interface PlacedCommand {
  readonly command: SimpleCommand;
  /** NOT_LITERAL where only the running shell knows. */
  readonly cwd: string;
}

/** Where a line runs. */
export interface Ground {
  readonly cwd: string;
  readonly userHome: string;
  /** Variables known there besides HOME and PWD. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** The commands of a line in order, as far as it can be read, `cd` followed in the shell it stands in. */
export function placedCommands(line: string, { cwd, userHome, variables }: Ground): readonly PlacedCommand[] {
  const values: Values = new Map(Object.entries({ HOME: userHome, PWD: cwd, ...variables }));
  const folders = new Map<string, readonly string[]>();
  const before = (shells: readonly number[]): readonly string[] => {
    for (let depth = shells.length; depth >= 0; depth--) {
      const been = folders.get(shells.slice(0, depth).join("/"));
      if (been !== undefined) return been;
    }
    return [cwd];
  };
  return knownCommands(line, values).map((command) => {
    const been = before(command.shells);
    const here = been.at(-1) ?? cwd;
    folders.set(command.shells.join("/"), goneTo(command, been, userHome));
    return { command, cwd: command.folder === null ? here : folderAt(command.folder, here, userHome) };
  });
}

/** The folders a shell was in, the newest last, after one more of its commands. */
function goneTo(command: SimpleCommand, been: readonly string[], userHome: string): readonly string[] {
  const name = programBasename(command.program);
  if (name !== "cd" && name !== "pushd" && name !== "popd") return been;
  const word = command.words.slice(1).find((one) => !/^-./.test(one));
  if (name === "popd" || ((name === "cd" || name === "pushd") && word === "-"))
    return been.length > 1 ? been.slice(0, -1) : been;
  return [...been.slice(-folderMarksMax), folderAt(word ?? "~", been.at(-1) ?? "/", userHome)];
}

/** So many steps back are known. */
const folderMarksMax = 16;
/** No system takes a longer path. */
const pathCharsMax = 4096;

function folderAt(word: string, cwd: string, userHome: string): string {
  const named = namedPath(word, cwd, userHome);
  if (named === null || named.glob.length > 0) return NOT_LITERAL;
  return named.path.length > pathCharsMax ? NOT_LITERAL : named.path;
}

/** A file or folder that a word names; `glob` is what stands behind it from the first segment that only the shell knows whole. */
export interface NamedPath {
  readonly path: string;
  readonly glob: readonly string[];
}

/** Null where nothing of the word is known. */
export function namedPath(word: string, cwd: string, userHome: string): NamedPath | null {
  const inHome = homePath(word, userHome);
  if (inHome === "" || inHome.startsWith(NOT_LITERAL)) return null;
  if (cwd === NOT_LITERAL && !inHome.startsWith("/")) return null;
  const segments = inHome.split("/").map((segment) => segment.replaceAll(NOT_LITERAL, "*"));
  const first = segments.findIndex((segment) => /[*?[]/.test(segment));
  if (first === -1) return { path: absolute(inHome, cwd), glob: [] };
  const solid = segments.slice(0, first).join("/");
  const whole = inHome.startsWith("/") && solid === "" ? "/" : solid;
  return { path: absolute(whole, cwd), glob: segments.slice(first).filter((segment) => segment !== "") };
}

/** The words of a command that may name files: every operand, and an option's value behind `=`. */
export function operandsOf(words: readonly string[]): readonly string[] {
  return words.slice(1).flatMap((word) => {
    const value = /^(?:--?[\w-]+|\w+)=(.+)$/s.exec(word)?.[1];
    if (value !== undefined) return [value];
    return word.startsWith("-") ? [] : [word];
  });
}

/** A word as an absolute path, as far as it is known. */
export function absolutePath(word: string, cwd: string, userHome: string): string {
  return namedPath(word, cwd, userHome)?.path ?? cwd;
}

/**
 * A leading expansion (`$X/…`) is read as the person's home: what else it may be only the running shell knows, and for a protected place
 * that guess is the one that counts.
 */
function homePath(word: string, userHome: string): string {
  const behind = word.slice(2);
  if (word.startsWith(`${NOT_LITERAL}/`) && behind !== "" && isLiteral(behind.split("/")[0] ?? ""))
    return join(userHome, behind);
  const owner = /^~([^/]+)/.exec(word)?.[1];
  if (owner !== undefined && owner === basename(userHome)) return userHome + word.slice(owner.length + 1);
  return word.replace(/^~(?=\/|$)/, userHome);
}

function absolute(path: string, cwd: string): string {
  return normalize(resolve(cwd, path === "" ? "." : path)).replace(/(?<=.)\/$/, "");
}
