import { expect, test } from "bun:test";
import { cutMiddle, firstLine, printable } from "./printable.ts";

test("every control, bidi and zero-width character is shown, newline and tab stay", () => {
  const hidden = [0x7f, 0xad, 0x61c, 0x180e, 0xfeff];
  for (let code = 0; code < 0x20; code++) if (code !== 9 && code !== 10) hidden.push(code);
  for (let code = 0x80; code < 0xa0; code++) hidden.push(code);
  for (let code = 0x200b; code <= 0x200f; code++) hidden.push(code);
  for (let code = 0x2028; code <= 0x202e; code++) hidden.push(code);
  for (let code = 0x2060; code <= 0x2069; code++) hidden.push(code);
  for (let code = 0xfff9; code <= 0xfffb; code++) hidden.push(code);
  for (const code of hidden) {
    const shown = printable(`a${String.fromCharCode(code)}b`);
    expect(shown).toMatch(/^a(\^[@-_?]|\\u[0-9a-f]{4})b$/);
  }
  expect(printable("a\tb\nc")).toBe("a\tb\nc");
});

test("clipboard, cursor and link sequences are shown as text", () => {
  expect(printable("\u001b]52;c;ZXZpbA==\u0007")).toBe("^[]52;c;ZXZpbA==^G");
  expect(printable("\u001b[2J\u009b2J")).toBe("^[[2J\\u009b2J");
  expect(printable("a\r\nb")).toBe("a^M\nb");
});

test("lone surrogates are shown; whole characters of any script stay", () => {
  expect(printable("\ud800x\udc00")).toBe("\\ud800x\\udc00");
  const fine = "zażółć 漢字 😀 é e\u0301 🇵🇱";
  expect(printable(fine)).toBe(fine);
  expect(printable(printable("\u0000"))).toBe("^@");
});

test("the first line with words in it, trimmed", () => {
  expect(firstLine("\n \n  make: ***  \nmore")).toBe("make: ***");
  expect(firstLine(" \n\t\n")).toBe("");
});

test("text is cut in its middle, between characters, with how much is missing", () => {
  expect(cutMiddle("short", 5)).toBe("short");
  expect(cutMiddle("0123456789", 4)).toBe("01\n[… 6 bytes left out here …]\n89");
  for (const bytes of [50, 51, 52, 53]) {
    const cut = cutMiddle("é😀".repeat(100), bytes);
    expect(cut).not.toContain("\ufffd");
    const left = Number(/… (\d+) bytes/.exec(cut)?.[1]);
    const kept = cut.split(/\n\[.*\]\n/).join("");
    expect(left + Buffer.byteLength(kept)).toBe(600);
  }
  expect(cutMiddle("0123456789", 4, 1000)).toContain("996 bytes left out");
});
