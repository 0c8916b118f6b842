import { describe, expect, test } from "bun:test";
import { boundedOutput } from "./bounded-output.ts";

async function outputOf(chunks: readonly string[], max: number): Promise<ReturnType<typeof boundedOutput>> {
  const pipe = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  const output = boundedOutput(pipe, max);
  await output.whenSaid();
  return output;
}

describe("what is kept of an output", () => {
  const kept: readonly (readonly [readonly string[], number, string])[] = [
    [[], 8, ""],
    [["abc", "def"], 8, "abcdef"],
    [["abcd", "efgh"], 8, "abcdefgh"],
    [["abcdefgh"], 8, "abcdefgh"],
    [["abcdefghi"], 8, "abcd\n[… 1 bytes left out here …]\nfghi"],
    [["ab", "cdef", "ghijkl", "m", "n"], 8, "abcd\n[… 6 bytes left out here …]\nklmn"],
  ];
  for (const [chunks, max, wanted] of kept)
    test(`${JSON.stringify(chunks)} in ${max} bytes`, async () => {
      const output = await outputOf(chunks, max);
      expect(output.bytes().toString()).toBe(wanted);
      expect(output.isWhole()).toBe(!wanted.includes("left out"));
    });
});

describe("what makes two outputs different", () => {
  const digest = async (text: string, max = 8): Promise<string> => (await outputOf([text], max)).digest();

  test("white space at the end does not", async () => {
    expect(await digest("a b \n\n")).toBe(await digest("a b"));
    expect(await digest("a b")).not.toBe(await digest("a  b"));
    expect(await digest(" a")).not.toBe(await digest("a"));
  });

  test("a byte that is not kept does", async () => {
    expect(await digest("aaaaaXaaaaa")).not.toBe(await digest("aaaaaYaaaaa"));
  });
});
