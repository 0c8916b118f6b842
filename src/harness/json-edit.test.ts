import { expect, test } from "bun:test";
import fc from "fast-check";
import { append, remove } from "./json-edit.ts";
import { memberOf, placesOf, withoutComments } from "./json-places.ts";

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

test("a person's comments stay, wherever they stand", () => {
  const commented = '{ // first, "b": 2\n  "a": 1 /* one */ // last\n  // end\n}\n';
  const more = append(commented, [], [2], "b");
  expect(more).toBe('{ // first, "b": 2\n  "a": 1,\n  "b": [\n    2\n  ] /* one */ // last\n  // end\n}\n');
  expect(remove(more, ["b"])).toBe(commented);
  expect(append('{"a": {\n // none yet\n}}', ["a"], 1, "k")).toBe('{"a": {\n // none yet\n  "k": 1\n}}');
  expect(append("[ /* none */ ]", [], 1)).toBe("[ /* none */1]");
  expect(remove("[1, /* a, b */ 2]", [1])).toBe("[1 /* a, b */ ]");
  expect(remove("[1 // one\n, 2]", [0])).toBe("[ // one\n 2]");
  expect(remove("[ // one\n 1 ]", [0])).toBe("[ // one\n  ]");
  expect(remove('{"a": 1, "b": "// no /* comment */"}', ["a"])).toBe('{"b": "// no /* comment */"}');
});

test("a text with comments in every gap: put in and taken out again it is the same, and nothing else changes meaning", () => {
  const gap = fc.constantFrom(" ", "\n  ", " // say, {no}\n ", "/* a, [b] */", "\t/* \n */ ");
  const value = fc.constantFrom("1", '"// x"', "[]", "{}", '"a\\"/*"', "null");
  const members = fc.array(fc.tuple(gap, gap, value, gap, gap), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(members, gap, fc.jsonValue(), (parts, end, added) => {
      const text = `{${parts.map(([a, b, c, d, e], at) => `${a}"k${at}"${b}:${e}${c}${d}`).join(",")}${end}}`;
      const more = append(text, [], added, "new key");
      const expected = { ...JSON.parse(withoutComments(text)), "new key": JSON.parse(JSON.stringify(added)) };
      expect(JSON.parse(withoutComments(more))).toEqual(expected);
      expect(remove(more, ["new key"])).toBe(text);
    }),
  );
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
