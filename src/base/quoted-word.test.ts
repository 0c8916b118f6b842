import { expect, test } from "bun:test";
import { quotedFlag, quotedWord } from "./quoted-word.ts";

test("a shell reads back every word as it was", async () => {
  const words = [
    "plain-1.0_x/@:=,+",
    "",
    "a b",
    "it's",
    "$HOME",
    "`x`",
    '"q"',
    "a\nb",
    "*",
    "~",
    "!",
    "\\",
    "é",
    "-x",
    "a;b&c|d>e",
  ];
  const line = `printf '%s\\0' ${words.map(quotedWord).join(" ")}`;
  const child = Bun.spawn(["/bin/sh", "-c", line], { stdout: "pipe" });
  expect((await child.stdout.text()).split("\0").slice(0, -1)).toEqual(words);
});

test("plain words stay plain", () => {
  expect(quotedWord("0198c-a.b_c")).toBe("0198c-a.b_c");
});

test("a value that begins like a flag is bound to its own", () => {
  expect(quotedFlag("--session", "s 1")).toBe("--session 's 1'");
  expect(quotedFlag("--session", "--json")).toBe("--session=--json");
});
