import * as v from "valibot";

/** What the core hands a supervisor: one line of JSON on its stdin. */
export const assignmentSchema = v.looseObject({
  hook: v.string(),
  command: v.string(),
  session: v.nullable(v.string()),
  dispatch: v.string(),
  at: v.string(),
  program: v.union([
    v.strictObject({ gate: v.string() }),
    v.strictObject({ command: v.array(v.string()), contract: v.picklist(["tama", "claude-code"]) }),
  ]),
  cwd: v.nullable(v.string()),
  environment: v.record(v.string(), v.string()),
  stdin: v.string(),
});
export type Assignment = v.InferOutput<typeof assignmentSchema>;

/** What a supervisor says on stdout: its birth, then how its hook ended. */
export const supervisorLineSchema = v.variant("says", [
  v.looseObject({ says: v.literal("born") }),
  v.looseObject({ says: v.literal("unborn"), cause: v.string() }),
  v.looseObject({
    says: v.literal("ended"),
    code: v.nullable(v.number()),
    signal: v.nullable(v.string()),
    stdout: v.string(),
    stderr: v.string(),
    cut: v.optional(v.string()),
    /** Not everything the hook left behind could be ended by the supervisor; the core tries again when it has gone. */
    left: v.optional(v.boolean()),
  }),
  v.looseObject({ says: v.literal("unstarted"), cause: v.string() }),
]);
export type SupervisorLine = v.InferOutput<typeof supervisorLineSchema>;
