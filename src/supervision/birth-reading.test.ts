import { expect, test } from "bun:test";
import { decodeInFlight } from "./birth-reading.ts";

const birth = { hookBirthIdentity: "f".repeat(32), pid: 7, pgid: 7, start: "1@a/1", core: { pid: 6, start: null } };

test("a birth, and a record from before births were kept", () => {
  expect(decodeInFlight("r", `${JSON.stringify(birth)}\n`)).toMatchObject({ ok: true, value: { kind: "birth" } });
  expect(decodeInFlight("r", '{"pid":7,"hook":"old"}')).toMatchObject({ ok: true, value: { kind: "legacy" } });
});

test("what is no record is named by the form it claims, and a number that is no process's is none", () => {
  for (const [record, cause] of [
    ["[]", "record: expected an object, got a list"],
    ["5", "record: expected an object, got 5"],
    ['{"hook":"x"}', "record.pid: missing"],
    ['{"pid":"7"}', 'record.pid: expected number, got "7"'],
    ['{"pid":-1}', "record.pid: expected a number above 0, got -1"],
    ['{"pid":0}', "record.pid: expected a number above 0, got 0"],
    ['{"pid":1.5}', "record.pid: expected a whole number, got 1.5"],
    [JSON.stringify({ ...birth, pid: -1 }), "record.pid: expected a number above 0, got -1"],
    [JSON.stringify({ ...birth, core: { pid: 0, start: null } }), "record.core.pid: expected a number above 0, got 0"],
    [JSON.stringify({ ...birth, pgid: undefined }), "record.pgid: missing"],
  ] as const)
    expect([record, decodeInFlight("r", record)]).toEqual([
      record,
      { ok: false, cause: `cannot decode r: ${cause}` },
    ] as never);
});
