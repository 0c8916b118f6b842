import { expect, test } from "bun:test";
import { NOT_LITERAL } from "../shell/shell-words.ts";
import { absolutePath, namedPath, operandsOf, placedCommands } from "./named-paths.ts";

const home = "/home/ann";

test("a word becomes an absolute path, its home read; what only the shell knows is a glob behind it", () => {
  const cases: readonly (readonly [string, string | null, string])[] = [
    ["a.txt", "/srv/a.txt", ""],
    ["../x/./y", "/x/y", ""],
    ["~", home, ""],
    ["~/.tama/", `${home}/.tama`, ""],
    [`${NOT_LITERAL}/.tama`, `${home}/.tama`, ""],
    ["~/.tama/*", `${home}/.tama`, "*"],
    ["~/*/x.log", home, "*/x.log"],
    [`/tmp/a${NOT_LITERAL}.log`, "/tmp", "a*.log"],
    ["/*", "/", "*"],
    ["*.log", "/srv", "*.log"],
    ["/", "/", ""],
    [NOT_LITERAL, null, ""],
    [`${NOT_LITERAL}/`, null, ""],
    [`${NOT_LITERAL}x/y`, null, ""],
    ["", null, ""],
  ];
  for (const [word, path, glob] of cases) {
    const named = namedPath(word, "/srv", home);
    expect([word, named?.path ?? null, named?.glob.join("/") ?? ""]).toEqual([word, path, glob]);
  }
  expect(namedPath("a", NOT_LITERAL, home)).toBeNull();
  expect(namedPath("~/a", NOT_LITERAL, home)?.path).toBe(`${home}/a`);
  expect(absolutePath(NOT_LITERAL, "/srv", home)).toBe("/srv");
});

test("cd moves the commands behind it in its own shell, and comes back", () => {
  const where = (line: string): readonly string[] =>
    placedCommands(line, { cwd: "/srv", userHome: home, variables: { T: "/t" } })
      .filter(({ command }) => command.program === "x")
      .map(({ cwd }) => cwd);
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["cd ~/.tama && pwd && x", [`${home}/.tama`]],
    ["cd $T; cd a; x; cd - > /dev/null; x", ["/t/a", "/t"]],
    ["(cd a; x; (cd b; x); x); x", ["/srv/a", "/srv/a/b", "/srv/a", "/srv"]],
    ["pushd a; x; popd; x; cd; x", ["/srv/a", "/srv", home]],
    ["cd a | x; env -C b x; bash -c 'cd c; x'; x", ["/srv", "/srv/b", "/srv/c", "/srv"]],
    ["eval 'cd a'; x", ["/srv/a"]],
    ['cd "$UNKNOWN"; x; cd a; x; cd /b; x', [NOT_LITERAL, NOT_LITERAL, "/b"]],
  ];
  for (const [line, folders] of cases) expect([line, where(line)]).toEqual([line, folders]);
});

test("operands and values are named", () => {
  expect(operandsOf(["tool", "--out=a", "-v", "b", "of=c"])).toEqual(["a", "b", "c"]);
});
