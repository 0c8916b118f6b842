import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonFault } from "./json-fault.ts";

test.each([
  ['{\n "id":"x",\n "says":"y",,\n}', 3, 13],
  ['{"a":1,}', 1, 8],
  ["[1,]", 1, 4],
  ["{\n", 2, 1],
  ["", 1, 1],
  ['{"a":"open\n"}', 1, 6],
  ["{a:1}", 1, 2],
  ["[1}", 1, 3],
  ["{} x", 1, 4],
  ["{'a':1}", 1, 2],
  ["[01]", 1, 3],
])("%j stops being JSON at %i:%i", (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonFault(text)).toEqual({ line, column });
});

test("a text has a fault just where JSON.parse refuses it", () => {
  const whole = fc.json().map((text) => ({ text }));
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', ":", "\\", "1", " ", "x", "\n"))
    .map(([json, at, put]) => {
      const place = at % (json.length + 1);
      return { text: json.slice(0, place) + put + json.slice(place + (put === "" ? 1 : 0)) };
    });
  fc.assert(
    fc.property(fc.oneof(whole, broken), ({ text }) => {
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      expect([text, jsonFault(text) === null]).toEqual([text, parses]);
    }),
    { numRuns: 5000 },
  );
});
