import { expect, test } from "bun:test";
import { cutTo } from "./progress-line.ts";

test("a line is cut to the columns it may take, wide characters counted as two", () => {
  expect(cutTo("no change", 40)).toBe("no change");
  expect(cutTo("no change", 4)).toBe("no c");
  expect(cutTo("値が変わる", 5)).toBe("値が");
  expect(cutTo("x", 0)).toBe("");
});
