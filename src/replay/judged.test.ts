import { expect, test } from "bun:test";
import { judgeLook, judgeRepeat } from "./judged.ts";

const failed = { by: "failed", answer: "Exit code 1\nnpm ERR! port 3000 in use (pid 4711) after 12.3s" } as const;
const lost = { by: "unanswered", answer: "" } as const;

test("a repeat that fails again in the same words was rightly held, numbers aside", () => {
  const again = "Exit code 1\nnpm ERR! port 3001 in use (pid 4890) after 9.1s";
  expect(judgeRepeat(failed, { kind: "failed" }, again).judgement).toBe("right");
  expect(judgeRepeat(failed, { kind: "failed" }, "Exit code 1\nENOSPC").judgement).toBe("undecided");
  expect(judgeRepeat(failed, { kind: "succeeded" }, "ok").judgement).toBe("wrong");
});

test("what never ran or was cut off tells nothing, except of a call that never answered", () => {
  for (const kind of ["never-ran", "interrupted"] as const)
    expect(judgeRepeat(failed, { kind }, "").judgement).toBe("undecided");
  expect(judgeRepeat(lost, { kind: "interrupted" }, "").judgement).toBe("right");
  expect(judgeRepeat(lost, { kind: "failed" }, "boom").judgement).toBe("wrong");
});

test("a look is judged by its whole answer; what the harness adds of its own is no answer", () => {
  const look = (earlier: string, now: string): string => judgeLook(earlier, { kind: "succeeded" }, now).judgement;
  expect(look("3 files", "3 files\n")).toBe("right");
  expect(look("3 files", "4 files")).toBe("wrong");
  expect(look("a", "File unchanged since last read. The content …")).toBe("right");
  expect(look("Wall time: 0.1 seconds\nOutput:\na", "Wall time: 0.4 seconds\nOutput:\na")).toBe("right");
  expect(look("a", "a\n<system-reminder>be kind</system-reminder>")).toBe("right");
  expect(judgeLook("a", { kind: "failed" }, "no such file").judgement).toBe("wrong");
});
