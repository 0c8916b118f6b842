import { expect, test } from "bun:test";
import type { LogLine } from "../../words/records.ts";
import { capNote, capWarning, endingCap, refusedInARow } from "./ending-cap.ts";

const line = (event: string, verdict: LogLine["verdict"]): LogLine => ({
  at: "2026-01-01T00:00:00.000Z",
  dispatch: "d",
  event,
  verdict,
  ms: 1,
  hooks: [],
});
const refused = line("stop", "refuse");

test("refused endings count from the last call, word of a person, or ending", () => {
  expect(refusedInARow([])).toBe(0);
  expect(refusedInARow([refused, refused, line("stop", "infrastructure")])).toBe(3);
  for (const between of [line("input", "pass"), line("tool_call", "refuse"), line("stop", "pass")])
    expect(refusedInARow([refused, between, refused])).toBe(1);
  expect(refusedInARow([refused, line("config_change", "refuse"), refused])).toBe(2);
});

test("the host's limit is named at the last two refusals it honours, and past it", () => {
  expect([1, 6].map((count) => capWarning(count, 8))).toEqual(["", ""]);
  expect(capWarning(7, 8)).toContain("refused 7 times in a row");
  expect(capWarning(8, 8)).toContain("after 8 Claude Code ends it all the same");
  expect(capWarning(9, 8)).toContain("ends this turn although it was refused");
  for (const count of [7, 8, 9]) expect(capWarning(count, 8)).toContain("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP");
});

test("the limit is the environment's where that says a number, and none at 0", () => {
  const cap = (said?: string): number => endingCap({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: said });
  expect([cap(), cap(""), cap("x"), cap("-1"), cap("3")]).toEqual([8, 8, 8, 8, 3]);
  expect(capWarning(1000, cap("0"))).toBe("");
  expect(capNote(cap())).toContain("after 8 refused endings");
  expect(capNote(cap("0"))).toContain("never ends a turn that is refused");
});
