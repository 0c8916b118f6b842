import { expect, test } from "bun:test";
import { remembering } from "./remembering.ts";

test("a text asked about again is not worked on again, until too many others came", () => {
  const asked: string[] = [];
  const length = remembering(
    (text) => {
      asked.push(text);
      return text === "" ? null : text.length;
    },
    { texts: 2, chars: 6 },
  );
  expect(["abc", "", "abc", "", "abc"].map(length)).toEqual([3, null, 3, null, 3]);
  expect(asked).toEqual(["abc", ""]);
  expect(["defg", "abc"].map(length)).toEqual([4, 3]);
  expect(asked).toEqual(["abc", "", "defg", "abc"]);
  expect(["a", "b", "abc"].map(length)).toEqual([1, 1, 3]);
  expect(asked.splice(0)).toEqual(["abc", "", "defg", "abc", "a", "b", "abc"]);
  expect(["too long", "too long", "abc"].map(length)).toEqual([8, 8, 3]);
  expect(asked).toEqual(["too long", "too long"]);
});
