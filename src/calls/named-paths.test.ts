import { expect, test } from "bun:test";
import { NOT_LITERAL } from "../shell/shell-words.ts";
import { absolutePath, namedPaths, placedCommands } from "./named-paths.ts";

const home = "/home/ann";

test("a word becomes an absolute path, its home and glob read", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["a.txt", "/srv/a.txt"],
    ["../x/./y", "/x/y"],
    ["~", home],
    ["~/.tama/", `${home}/.tama`],
    [`${NOT_LITERAL}/.tama`, `${home}/.tama`],
    ["~/.tama/*", `${home}/.tama`],
    [`/tmp/${NOT_LITERAL}.log`, "/tmp"],
    ["/", "/"],
  ];
  for (const [word, path] of cases) expect(absolutePath(word, "/srv", home)).toBe(path);
});

test("cd moves the commands behind it, and operands, values and targets are named", () => {
  const [, , last] = placedCommands("cd ~/.tama && pwd && tool --out=a -v b > c", "/srv", home) ?? [];
  if (last === undefined) throw new Error("the line did not come apart");
  expect(namedPaths(last, home)).toEqual(["a", "b", "c"].map((name) => `${home}/.tama/${name}`));
});
