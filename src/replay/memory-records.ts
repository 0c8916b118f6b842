import { done } from "../base/result.ts";
import type { RepeatRecords } from "../core/repeat/store.ts";
import type { FailedCalls, StartedCalls } from "../words/kept-calls.ts";

/** What the repeat rule keeps of one session, in memory: a finished transcript has no defect register and no judgements beside it. */
export function memoryRecords(liftedBeside: RepeatRecords["liftedBeside"] & {} = () => []): RepeatRecords {
  let failed: FailedCalls = { calls: {}, spent: [] };
  let started: StartedCalls = { calls: {} };
  const kept = Promise.resolve(done(undefined));
  return {
    settings: () => done({ repeat: "full" }),
    failed: () => done(failed),
    started: () => done(started),
    changeFailed: (_owner, change) => {
      failed = change(failed);
      return kept;
    },
    changeStarted: (_owner, change) => {
      started = change(started);
      return kept;
    },
    liftedBeside,
    register: () => done(null),
    answers: () => done([]),
    pathOf: (what) => what,
  };
}
