import { expect, test } from "bun:test";
import { decodeInFlight } from "./birth-reading.ts";

const birth = { hookBirthIdentity: "b", pid: 5, pgid: 5, start: "1@a/1", core: { pid: 4, start: null } };
const assignment = { hook: "h", command: "c", session: null, dispatch: "d", at: "t" };
const lines = (...all: object[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join("");

test("a birth, its assignment and its progress", () => {
  expect(decodeInFlight("r", lines(birth, assignment, { progress: "one" }, { progress: "two" }))).toEqual({
    ok: true,
    value: { kind: "birth", birth, assignment, progress: ["one", "two"], ended: false },
  });
  expect(decodeInFlight("r", lines(birth))).toMatchObject({ value: { assignment: null, progress: [], ended: false } });
  expect(decodeInFlight("r", lines(birth, assignment, { ended: true }))).toMatchObject({ value: { ended: true } });
});

test("a torn last line is set aside, at every byte of it", () => {
  const whole = lines(birth, assignment);
  for (let cut = lines(birth).length; cut < whole.length; cut++)
    expect(decodeInFlight("r", whole.slice(0, cut))).toMatchObject({
      ok: true,
      value: { kind: "birth", assignment: null },
    });
});

test("anything else is an error that names the path, and a complete bad line its byte", () => {
  for (const text of ["", "\n", "{", "[]", "[]\n", "null", "{}\n", '{"pid":"x"}', "x\n"])
    expect(decodeInFlight("the/path", text)).toMatchObject({ ok: false, cause: expect.stringContaining("the/path") });
  const bad = `${lines(birth)}{"hook":\n${lines({ progress: "x" })}`;
  expect(decodeInFlight("r", bad)).toMatchObject({
    ok: false,
    cause: expect.stringContaining(`byte ${lines(birth).length}`),
  });
});

test("an old record over one line or several", () => {
  for (const text of ['{"pid":7,"hook":"old"}', '{"pid":7,"hook":"old"}\n', '{\n  "pid": 7,\n  "hook": "old"\n}\n'])
    expect(decodeInFlight("r", text)).toMatchObject({
      ok: true,
      value: { kind: "legacy", record: { pid: 7, hook: "old" } },
    });
});
