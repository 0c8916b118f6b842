import * as v from "valibot";
import { tableOf } from "./table.ts";

/** `control/waits.<session>.json`: the last answer a session saw of each command it waited for, by a digest. */
export const seenAnswersSchema = v.looseObject({
  waits: tableOf(v.looseObject({ digest: v.string(), at: v.string() })),
});
