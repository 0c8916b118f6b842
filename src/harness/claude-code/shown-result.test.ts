import { expect, test } from "bun:test";
import { shownResult } from "./shown-result.ts";

test("each tool's structure becomes the text the model reads", () => {
  const bash = { stdout: "out", stderr: "err", interrupted: false, isImage: false, noOutputExpected: false };
  expect(shownResult(bash)).toBe("out\nerr");
  expect(shownResult({ ...bash, stderr: "" })).toBe("out");
  expect(shownResult({ ...bash, stdout: "", stderr: "" })).toBe("");
  expect(shownResult({ type: "text", file: { filePath: "/a", content: "one\n", numLines: 1 } })).toBe("one\n");
  expect(
    shownResult([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]),
  ).toBe("a\nb");
  expect(shownResult({ content: [{ type: "text", text: "report" }], agentId: "a1" })).toBe("report");
  expect(shownResult("plain")).toBe("plain");
});

test("a structure not known is its JSON, and nothing is nothing", () => {
  expect(shownResult({ type: "create", filePath: "/a" })).toBe('{"type":"create","filePath":"/a"}');
  expect(shownResult([{ type: "image", source: {} }])).toBe('[{"type":"image","source":{}}]');
  expect(shownResult({ stdout: 1, stderr: "" })).toBe('{"stdout":1,"stderr":""}');
  expect([shownResult(undefined), shownResult(null), shownResult(0)]).toEqual(["", "", "0"]);
});
