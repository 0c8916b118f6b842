import { expect, test } from "bun:test";
import * as v from "valibot";
import { describeIssue } from "./issue.ts";
import { tableOf } from "./table.ts";

const schema = v.looseObject({ calls: tableOf(v.number()) });

test("an object is taken, also an empty one", () => {
  expect(v.parse(schema, { calls: { a: 1 } })).toEqual({ calls: { a: 1 } });
  expect(v.parse(schema, { calls: {} })).toEqual({ calls: {} });
});

test("a list, an absent table and a wrong value are named", () => {
  const cause = (value: unknown): string => {
    const parsed = v.safeParse(schema, value);
    return parsed.success ? "fits" : describeIssue("record", parsed.issues[0]);
  };
  expect(cause({ calls: [] })).toBe("record.calls: expected an object, got a list");
  expect(cause({ calls: [1] })).toBe("record.calls: expected an object, got a list");
  expect(cause({})).toBe("record.calls: missing");
  expect(cause({ calls: null })).toBe("record.calls: expected an object, got null");
  expect(cause({ calls: { a: "1" } })).toBe('record.calls.a: expected number, got "1"');
});
