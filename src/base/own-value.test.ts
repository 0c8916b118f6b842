import { expect, test } from "bun:test";
import { ownValue } from "./own-value.ts";

test("only what the table itself holds", () => {
  const table: Record<string, number> = { a: 1 };
  expect(ownValue(table, "a")).toBe(1);
  for (const name of ["b", "toString", "constructor", "__proto__", "hasOwnProperty"])
    expect(ownValue(table, name)).toBeUndefined();
  expect(ownValue(JSON.parse('{"__proto__":2}'), "__proto__")).toBe(2);
});
