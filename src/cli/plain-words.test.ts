import { expect, test } from "bun:test";
import type { ArgsDef } from "citty";
import fc from "fast-check";
import { anyValues, cittyValues } from "./any-words.ts";
import { plainValues } from "./plain-words.ts";

const args: ArgsDef = {
  words: { type: "positional" },
  session: { type: "string", required: true },
  "end-orphans": { type: "boolean" },
  json: { type: "boolean" },
};

test("plain words are read without citty", () => {
  expect(plainValues(args, ["a", "--session", "s 1", "--json", "b"])).toEqual({
    session: "s 1",
    json: true,
    _: ["a", "b"],
  });
  expect(plainValues(args, [])).toEqual({ _: [] });
});

test("every other form is left to citty", () => {
  const others = [
    ["--session=s"],
    ["--session"],
    ["--session", "-x"],
    ["--", "a"],
    ["--no-json"],
    ["-j"],
    ["--other"],
    ["-"],
  ];
  for (const given of others) expect(plainValues(args, given)).toBeNull();
  for (const inherited of ["--toString", "--__proto__", "--words"]) expect(plainValues(args, [inherited])).toBeNull();
});

test("a flag that takes one value and is given two is named with both; the same twice is one", () => {
  const twice = '--session is given twice, as "a" and as "b"; it takes one';
  for (const given of [
    ["--session", "a", "--json", "--session", "b"],
    ["--session=a", "--session", "b"],
  ]) {
    expect(plainValues(args, given)).toBeNull();
    expect(anyValues(args, given)).toBe(twice);
  }
  expect(plainValues(args, ["--session", "a", "--session", "a"])).toMatchObject({ session: "a" });
  expect(anyValues(args, ["--session", "a", "--", "--session", "b"])).toMatchObject({ session: "a" });
});

test("what is read plainly is what citty reads", () => {
  const word = fc.oneof(
    fc.constantFrom("--session", "--json", "--end-orphans", "--session=a", "--", "--no-json", "-x", "--other", ""),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word), (given) => {
      const plain = plainValues(args, given);
      if (plain === null) return;
      const citty = cittyValues(args, given);
      expect(plain["_"]).toEqual(citty["_"] as unknown[]);
      for (const name of ["session", "json", "end-orphans"])
        expect(plain[name] || undefined).toEqual((citty[name] as unknown) || undefined);
    }),
  );
});
