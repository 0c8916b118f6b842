import { expect, test } from "bun:test";
import fc from "fast-check";
import { LineCutter } from "./lines.ts";

const cut = (chunks: readonly Uint8Array[], max = 1000): (string | null)[] => {
  const cutter = new LineCutter(max);
  const lines = chunks.flatMap((chunk) => cutter.push(chunk));
  const rest = cutter.rest();
  return [...lines, ...(rest === undefined ? [] : [rest])].map((line) =>
    line === null ? null : line.toString("latin1"),
  );
};

test("however the bytes come, the lines are those between the newlines", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
      const whole = Buffer.concat(chunks).toString("latin1");
      const wanted = whole.split("\n");
      if (wanted.at(-1) === "") wanted.pop();
      expect(cut(chunks)).toEqual(wanted);
    }),
  );
});

test("only the byte 0x0A ends a line", () => {
  expect(cut([Buffer.from("a\rb\u2028c\u0085d\n")])).toHaveLength(1);
});

test("a line over the limit is told once, at its end, and the next one is whole", () => {
  expect(cut([Buffer.from("12345"), Buffer.from("678901"), Buffer.from("x\nok\n12345678901")], 10)).toEqual([
    null,
    "ok",
    null,
  ]);
  expect(cut([Buffer.from("1234567890\n")], 10)).toEqual(["1234567890"]);
});

test("a chunk may be used again by whoever gave it", () => {
  const cutter = new LineCutter(100);
  const chunk = Buffer.from("ab");
  cutter.push(chunk);
  chunk.fill("x");
  expect(cutter.rest()?.toString()).toBe("ab");
});
