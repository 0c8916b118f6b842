import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { followedCommands, printedCommands, type Written } from "./printed-commands.ts";

const root = join(import.meta.dir, "../..");
const read = (pattern: string): readonly Written[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root })]
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** The words of every command, as the tree names them. */
const commands = [...readFileSync(join(root, "src/cli/tree.ts"), "utf8").matchAll(/words: \[([^\]]+)\]/g)].map(
  ([, words = ""]) => words.replaceAll(/[",]/g, ""),
);

/** What no refusal prints: each with where it is said instead. */
const otherwise: Readonly<Record<string, string>> = {
  "tama hook": "the name under which a built-in hook's process is listed",
  "tama hooks running": "doctor's and status's, of hooks that outlived their core",
};

test("every command that a refusal prints is taken out of its text and followed by a journey", () => {
  const sources = read("src/{gates,core,supervision,harness,facts}/**/*.ts").filter(
    ({ path }) => !path.endsWith(".test.ts"),
  );
  const printed = printedCommands(sources, commands);
  const followed = followedCommands(read("tests/journeys/**/*.ts"), commands);
  const left = [...printed].filter(([command]) => !followed.has(command) && !Object.hasOwn(otherwise, command));
  expect(left.map(([command, path]) => `${path} prints ${command}, which no journey follows`)).toEqual([]);
  expect(Object.keys(otherwise).filter((command) => !printed.has(command) || followed.has(command))).toEqual([]);
});

test("what is printed and what is followed is found", () => {
  const known = ["calls retry", "calls failed", "install", "wait"];
  const source = [
    '// "tama wait" in a comment',
    "const a = `say: tama calls retry $call --because x. See oko defects show D`;",
    'const b = "tama: installed; /x/tama install; tama sings";',
    'const c = "its own: tama install omp";',
  ].join("\n");
  const printed = printedCommands([{ path: "a.ts", text: source }], known);
  expect([...printed.keys()]).toEqual(["tama calls retry", "oko defects show", "tama install"]);
  const journey = [
    'await person(printed(held, "tama calls retry "));',
    "quoted(told, /tama install \\w+/);",
    "const line = /`(tama calls failed [^`]+)`/.exec(told);",
    'expect(told).toContain("tama wait");',
  ].join("\n");
  expect([...followedCommands([{ path: "j.ts", text: journey }], known)]).toEqual([
    "tama calls retry",
    "tama install",
    "tama calls failed",
  ]);
});
