import { expect, test } from "bun:test";
import type { ArgsDef } from "citty";
import fc from "fast-check";
import { cittyValues } from "./any-words.ts";
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
