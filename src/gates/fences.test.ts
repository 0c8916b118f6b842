import { expect, test } from "bun:test";
import fc from "fast-check";
import { fencesIn, parsedFences } from "./fences.ts";

const texts: Readonly<Record<string, string>> = {
  "at the margin, one closed by a longer mark": "Run:\n```sh\nls\n`````\nthen\n~~~ Console x\n$ id\n~~~\n",
  "within a list and a quote": "1. Do\n\n   ```sh\n   ls\n   ```\n\n> ```\n> id\n> ```\n",
  "in one item after another":
    "1. Do\n   ```sh\n   ls\n\n     -l\n   ```\n2. Then\n  ~~~\n  id\n    \n  ~~~\n\n   ```sh\n   w\n   ```\n",
  "indented, behind one only the parser finds": "- ```sh\n  ls\n  ```\n\n  ```\n  id\n  ```\n",
  "indented, with a line further left and a tab for a blank line": " ```\n\t\n ```\n\n  ```\n id\n  ```\n",
  "one that a list's end leaves open": "- ```sh\n  ls\n```\nid\n",
  "a piece of HTML": "<div>\n```sh\nls\n```\n</div>\n\n```sh\nid\n```",
  "behind HTML, a list and words that look like HTML":
    "<analysis>\n\n- <b>x\n\n  ```sh\n  ls\n  ```\n\n<i> so:\n\n```\nid\n```\n",
  "in HTML that a blank line does not end": "x\n<b>y\n<script>\n\n```sh\nls\n```\n</script>\n\n```\nid\n```\n",
  "never closed": "```bash\nls\n\n",
  "code within a line": "```ls``` is no fence\n",
  "with carriage returns": "```sh\r\nls\r\n```\r\n",
};

for (const [name, text] of Object.entries(texts))
  test(`fences ${name} are the parser's`, () => {
    expect(fencesIn(text)).toEqual(parsedFences(text));
  });

test("any text has the fences that the parser finds", () => {
  const pieces =
    "``` ```` ~~~ ```sh ~~~bash ```a`b - * 1. 2) > # === --- <div> </b> <b>x <i <script> <?a <pre> <!-- --> ` [x]: & \\ ls \t \n \u2028 \u00a0".split(
      " ",
    );
  const line = fc.tuple(fc.constantFrom("", " ", "  ", "   ", "    "), fc.array(fc.constantFrom(...pieces, " ")));
  const text = fc.array(
    line.map(([indent, words]) => indent + words.join("")),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(text, (lines) => {
      expect(fencesIn(lines.join("\n"))).toEqual(parsedFences(lines.join("\n")));
    }),
    { numRuns: 2000 },
  );
});
