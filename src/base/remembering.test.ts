import { expect, test } from "bun:test";
import { remembering } from "./remembering.ts";

test("a text asked about again is not worked on again, until too many others came", () => {
  const asked: string[] = [];
  const length = remembering((text) => {
    asked.push(text);
    return text === "" ? null : text.length;
  }, 6);
  expect(["abc", "", "abc", "", "abc"].map(length)).toEqual([3, null, 3, null, 3]);
  expect(asked).toEqual(["abc", ""]);
  expect(["defg", "abc"].map(length)).toEqual([4, 3]);
  expect(asked).toEqual(["abc", "", "defg", "abc"]);
  expect(["too long", "too long", "abc"].map(length)).toEqual([8, 8, 3]);
  expect(asked).toEqual(["abc", "", "defg", "abc", "too long", "too long"]);
});
