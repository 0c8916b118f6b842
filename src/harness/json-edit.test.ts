import { expect, test } from "bun:test";
import fc from "fast-check";
import { append, remove } from "./json-edit.ts";
import { memberOf, placesOf } from "./json-places.ts";

test("what is put in stands as its neighbours stand", () => {
  expect(append('{\n  "a": [\n    1\n  ]\n}\n', ["a"], { b: 2 })).toBe(
    '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ]\n}\n',
  );
  expect(append('{"a":[1]}', ["a"], 2)).toBe('{"a":[1, 2]}');
  expect(append('{\n\t"a": {}\n}', ["a"], [1], "k")).toBe('{\n\t"a": {\n\t\t"k": [\n\t\t\t1\n\t\t]\n\t}\n}');
  expect(append('{"a":{}}\n', ["a"], 1, "k")).toBe('{"a":{"k": 1}}\n');
  expect(append('{\r\n "a": 1\r\n}', [], 2, "b")).toBe('{\r\n "a": 1,\r\n "b": 2\r\n}');
  expect(append("{}", [], 1, "a")).toBe('{\n  "a": 1\n}');
});

test("what is taken out takes its comma along", () => {
  const json = '{ "a": 1,\n  "b" : [ 1 , 2,3 ],"c":{}}';
  expect(remove(json, ["a"])).toBe('{ "b" : [ 1 , 2,3 ],"c":{}}');
  expect(remove(json, ["b"])).toBe('{ "a": 1,"c":{}}');
  expect(remove(json, ["c"])).toBe('{ "a": 1,\n  "b" : [ 1 , 2,3 ]}');
  expect(remove(json, ["b", 1])).toBe('{ "a": 1,\n  "b" : [ 1,3 ],"c":{}}');
  expect(remove('{"a":[ 1 ]}', ["a", 0])).toBe('{"a":[]}');
});

test("of a key that stands twice the last counts, as for JSON.parse", () => {
  const json = '{"a":[1],"a":[2]}';
  expect(JSON.parse(append(json, ["a"], 3))).toEqual({ a: [2, 3] });
  expect(memberOf(placesOf(json), "a")?.value.from).toBe(json.indexOf("[2]"));
});

test("a text with any spacing: put in and taken out again it is the same, and nothing else changes meaning", () => {
  const layout = fc.constantFrom(undefined, 1, 2, 4, "\t");
  const member = fc.string({ unit: "grapheme" }).filter((key) => key !== "__proto__" && !/^\d+$/.test(key));
  const objects = fc.dictionary(member, fc.jsonValue({ depthSize: "small" }), { minKeys: 1, noNullPrototype: true });
  fc.assert(
    fc.property(objects, layout, fc.jsonValue(), (object, space, value) => {
      const json = JSON.stringify(object, null, space);
      fc.pre(!("new key" in object));
      const more = append(json, [], value, "new key");
      expect(JSON.parse(more)).toEqual(JSON.parse(JSON.stringify({ ...JSON.parse(json), "new key": value })));
      expect(remove(more, ["new key"])).toBe(json);
    }),
  );
});
