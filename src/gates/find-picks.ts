import { wildcardForm } from "../shell/wildcard.ts";

/**
 * What `find` would pick of the files below its starting point, as far as its words say: by names, paths, kinds and depth. Of a test that
 * only the disk can answer (age, size, owner) it is taken that it holds; a pattern in a language of its own (`-regex`) is not read.
 */

/** Whether something that lies so far below the starting point, whose absolute path is `root`, is picked; `folder` when it is a folder. */
export type Picks = (root: string, below: string, folder: boolean) => boolean;

/** What stands in a protected folder under names that are always the same; others have an id for a name. */
const knownNames: readonly string[] = ["registry.json", "settings.json", "log/s.jsonl", "failed-calls/s.json"];

/** Whether these words of `find` pick a place below one of its starting points, something in it, or a folder on the way to it. */
export function picksOf(words: readonly string[], start: string): Picks {
  const groups = groupsOf(words.slice(words.findIndex((word, at) => at > 0 && isExpression(word))));
  const grouped = words.includes("(");
  const anyActs = groups.some(({ acts }) => acts);
  const acting = groups.filter(({ prunes, acts }) => !prunes && (grouped || acts || !anyActs));
  const pruning = groups.filter(({ prunes }) => prunes);
  const fits = (group: Group, one: Candidate): boolean => group.tests.every((test) => test(one));
  return (root, below, folder) => {
    const at = (path: string, isFolder: boolean): Candidate => ({ starts: [start, root], path, folder: isFolder });
    const way = [...ancestorsOf(below).map((path) => at(path, true)), at(below, folder)];
    if (way.some((one) => pruning.some((group) => fits(group, one)))) return false;
    const all = [...way, ...(folder ? knownNames.map((name) => at(`${below}/${name}`, false)) : [])];
    return all.some((one) => acting.some((group) => fits(group, one)));
  };
}

interface Candidate {
  /** The starting point as written, and its absolute path. */
  readonly starts: readonly string[];
  readonly path: string;
  readonly folder: boolean;
}

type Test = (one: Candidate) => boolean;

/** Tests that must all hold; groups stand beside each other (`-o`). */
interface Group {
  readonly tests: Test[];
  acts: boolean;
  prunes: boolean;
}

function isExpression(word: string): boolean {
  return /^[-(!]/.test(word) && !/^-(?:[HLPD]|O\d?)$/.test(word);
}

function ancestorsOf(below: string): readonly string[] {
  const segments = below.split("/");
  return segments.slice(1).map((_segment, at) => segments.slice(0, at + 1).join("/"));
}

const actions: ReadonlySet<string> = new Set(
  "-delete -exec -execdir -ok -okdir -print -print0 -ls -printf -fprint -fprint0 -fprintf -fls".split(" "),
);
const plainWords: ReadonlySet<string> = new Set("( ) , -a -and -depth -daystart -follow -mount -xdev -quit".split(" "));

function groupsOf(words: readonly string[]): readonly Group[] {
  let group: Group = { tests: [], acts: false, prunes: false };
  const groups = [group];
  let negated = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "-o" || word === "-or") {
      group = { tests: [], acts: false, prunes: false };
      groups.push(group);
    } else if (word === "!" || word === "-not") {
      negated = !negated;
      continue;
    } else if (word === "-prune") group.prunes = true;
    else if (actions.has(word)) {
      group.acts = true;
      at = behindAction(words, at);
    } else if (!plainWords.has(word)) {
      const test = testOf(word, words[at + 1] ?? "");
      const turned = negated;
      if (test !== null) group.tests.push((one) => test(one) !== turned);
      if (!/^-(?:empty|true|false|readable|writable|executable|nouser|nogroup)$/.test(word)) at++;
    }
    negated = false;
  }
  return groups;
}

/** Where the words of an action end. */
function behindAction(words: readonly string[], at: number): number {
  if (/^-(?:exec|ok)/.test(words[at] ?? "")) {
    const end = words.findIndex((word, index) => index > at && (word === ";" || word === "+"));
    return end === -1 ? words.length : end;
  }
  return /^-f?printf$|^-f(?:print0?|ls)$/.test(words[at] ?? "") ? at + 1 : at;
}

/** Null for a test of which nothing is known and that is taken to hold. */
function testOf(option: string, value: string): Test | null {
  const form = option.replace(/^-i(?=name$|path$|wholename$|lname$)/, "-");
  const matched = patternOf(value, form !== option);
  switch (form) {
    case "-name":
      return ({ path }) => matched(path.slice(path.lastIndexOf("/") + 1));
    case "-path":
    case "-wholename":
      return ({ starts, path }) => starts.some((start) => matched(`${start.replace(/\/+$/, "")}/${path}`));
    case "-type":
      return ({ folder }) => value.split(",").includes(folder ? "d" : "f");
    case "-maxdepth":
      return ({ path }) => path.split("/").length <= Number(value);
    case "-mindepth":
      return ({ path }) => path.split("/").length >= Number(value);
    case "-empty":
    case "-false":
    case "-regex":
    case "-iregex":
    case "-lname":
      return () => false;
    default:
      return null;
  }
}

/** A pattern of `find`, in which a star takes dots and slashes too. One that only the shell knows matches nothing. */
function patternOf(pattern: string, anyCase: boolean): (text: string) => boolean {
  if (pattern.includes("\0")) return () => false;
  const form = wildcardForm(pattern, anyCase ? "si" : "s");
  return (text) => form?.test(text) ?? true;
}
