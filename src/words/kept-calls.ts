import * as v from "valibot";
import { tableOf } from "./table.ts";

/**
 * What the repeat rule keeps (contract 5). Its schemas stand apart from the other records' because `tama calls` and every one-shot event
 * build them at start, and building all of them costs a start a tenth of what it costs. Loose: a newer Tama's fields are kept.
 */

/**
 * One failed call. `free` = it failed beside a sibling that is no look, so its first lone repeat is admitted; `needs` = the file that must
 * be read before it can succeed; `hook` = who refused it; `harnessCalls` = the harness's ids of an unanswered call, for a late result.
 */
export const keptCallSchema = v.looseObject({
  tool: v.string(),
  said: v.string(),
  answer: v.optional(v.string(), ""),
  by: v.picklist(["failed", "refused", "unanswered"]),
  at: v.string(),
  catalog: v.optional(v.string(), ""),
  answers: v.optional(v.array(v.string()), () => []),
  retry: v.optional(v.nullable(v.string()), null),
  closures: v.optional(v.array(v.string())),
  hook: v.optional(v.string()),
  free: v.optional(v.boolean()),
  needs: v.optional(v.string()),
  harnessCalls: v.optional(v.array(v.string())),
});
export type KeptCall = v.InferOutput<typeof keptCallSchema>;

/** `failed-calls/<session>.json`. `spent` = calls whose failing once more is no change (gates.md: two failing scripts stay held). */
export const failedCallsSchema = v.looseObject({
  calls: tableOf(keptCallSchema),
  spent: v.optional(v.array(v.string()), () => []),
});
export type FailedCalls = v.InferOutput<typeof failedCallsSchema>;

/** `released` = something that could change the answer happened since it started, so it is never called unanswered. */
export const startedCallSchema = v.looseObject({
  tool: v.string(),
  at: v.string(),
  harnessCall: v.optional(v.nullable(v.string()), null),
  message: v.optional(v.nullable(v.union([v.string(), v.number()])), null),
  released: v.optional(v.boolean()),
});
export type StartedCall = v.InferOutput<typeof startedCallSchema>;

/**
 * `started-calls/<session>.json`. `newest` = the calls of the newest assistant message, which tells siblings apart. `lifted` = when this
 * agent last released what is kept, which the session's other agents ask for: by a `change`, of which `call`, `before` that by another
 * one, and whether it `spends`; or by a `person`'s message.
 */
export const startedCallsSchema = v.looseObject({
  calls: tableOf(v.array(startedCallSchema)),
  lifted: v.optional(
    v.looseObject({
      change: v.optional(v.string()),
      call: v.optional(v.string()),
      before: v.optional(v.string()),
      spends: v.optional(v.boolean()),
      person: v.optional(v.string()),
    }),
  ),
  newest: v.optional(
    v.looseObject({
      message: v.union([v.string(), v.number()]),
      calls: v.array(v.looseObject({ call: v.string(), harnessCall: v.nullable(v.string()), look: v.boolean() })),
    }),
  ),
});
export type Lifted = NonNullable<StartedCalls["lifted"]>;
export type StartedCalls = v.InferOutput<typeof startedCallsSchema>;
