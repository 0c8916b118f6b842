import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, lineOf } from "./code.ts";

// The source, and its code with each run of blanks as one.
const samples: readonly [string, string][] = [
  ["a(); // process.exit", "a(); "],
  ["a(/* process.exit\n */ b)", "a( \n b)"],
  [`say("don't \\" x", 'y');`, `say(" ", ' ');`],
  [`say(\`a \${b({ c: \`d \${e}\` })} f\`);`, `say(\` \${b({ c: \` \${e}\` })} \`);`],
  ["x.match(/['\"`/*]/g).go();", "x.match(/ /g).go();"],
  ["const half = all / 2; // y / z", "const half = all / 2; "],
  ["return /a\\/b/.test(c) / 2;", "return / /.test(c) / 2;"],
  ["<p>{a}</p>; b();", "<p>{a}</p>; b();"],
  ["'𝄞'; f();", "' '; f();"],
  ["a(); /* never closed", "a(); "],
];

for (const [source, code] of samples) {
  test(`leaves only the code of ${JSON.stringify(source)}`, () => {
    const found = codeOf(source);
    expect(found.replaceAll(/ +/g, " ")).toBe(code);
    expect(found).toHaveLength(source.length);
  });
}

test("keeps the length and the lines of every source of the house", () => {
  for (const path of new Bun.Glob("**/*.ts").scanSync({ cwd: import.meta.dir })) {
    const text = readFileSync(join(import.meta.dir, path), "utf8");
    const code = codeOf(text);
    expect(code).toHaveLength(text.length);
    expect(code.split("\n")).toHaveLength(text.split("\n").length);
  }
});

test("counts lines from one", () => {
  expect(lineOf("a\nb\nc", 0)).toBe(1);
  expect(lineOf("a\nb\nc", 4)).toBe(3);
});
