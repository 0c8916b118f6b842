import * as v from "valibot";

/** The records under TAMA_HOME (contract 5). Loose: a newer Tama's fields are kept when an older one rewrites a file. */

/** `sessions/<session>.json`: what a person or the page wants to know of a session. Later parts add their own fields. */
export const sessionRecordSchema = v.looseObject({
  session: v.string(),
  harness: v.string(),
  agentId: v.optional(v.nullable(v.string()), null),
  cwd: v.optional(v.nullable(v.string()), null),
  transcript: v.optional(v.nullable(v.string()), null),
  firstSeen: v.string(),
  lastEvent: v.looseObject({ event: v.string(), at: v.string() }),
  catalog: v.looseObject({ id: v.string(), hooks: v.array(v.string()) }),
  calls: v.optional(v.number(), 0),
  /** Up to this byte of the log `calls` counts. */
  logBytes: v.optional(v.number()),
  refusals: v.optional(v.array(v.looseObject({ refusal: v.string(), at: v.string(), by: v.string() })), () => []),
  blockedHookId: v.optional(v.nullable(v.string()), null),
  transcriptBytes: v.optional(v.nullable(v.number())),
  stops: v.optional(
    v.array(
      v.looseObject({
        at: v.string(),
        verdict: v.string(),
        transcriptBytes: v.nullable(v.number()),
        lastEntry: v.optional(v.nullable(v.string())),
        blockedHookId: v.optional(v.nullable(v.string())),
        reason: v.optional(v.string()),
      }),
    ),
    () => [],
  ),
  cycle: v.optional(v.unknown()),
  providerRefusal: v.optional(v.unknown()),
  beforeProvider: v.optional(v.looseObject({ verdict: v.string(), cause: v.nullable(v.string()), at: v.string() })),
  inspection: v.optional(v.unknown()),
});
export type SessionRecord = v.InferOutput<typeof sessionRecordSchema>;

/** A process number; others, to a signal, mean a whole group or every process there is. */
const pid = v.pipe(v.number(), v.integer("expected a whole number"), v.minValue(1, "expected a number above 0"));

/** The first line of an in-flight record: one supervisor's birth. */
export const birthSchema = v.looseObject({
  hookBirthIdentity: v.string(),
  pid,
  pgid: v.number(),
  start: v.nullable(v.string()),
  core: v.looseObject({ pid, start: v.nullable(v.string()) }),
});
export type Birth = v.InferOutput<typeof birthSchema>;

/** The line appended on assignment; later lines hold the hook's progress. */
export const assignmentLineSchema = v.looseObject({
  hook: v.string(),
  command: v.string(),
  session: v.nullable(v.string()),
  dispatch: v.string(),
  at: v.string(),
});
export type AssignmentLine = v.InferOutput<typeof assignmentLineSchema>;
export const progressLineSchema = v.looseObject({ progress: v.string() });
/** The last line: the hook has ended, and its supervisor waits to be ended, which may take until there is time. */
export const endedLineSchema = v.looseObject({ ended: v.literal(true) });

/** A record from before births were kept: a pid, its start as `ps` prints it, and what it ran. */
export const legacyRecordSchema = v.looseObject({
  pid,
  pgid: v.optional(v.nullable(v.number()), null),
  start: v.optional(v.nullable(v.string()), null),
  hook: v.optional(v.nullable(v.string()), null),
  command: v.optional(v.nullable(v.string()), null),
  session: v.optional(v.nullable(v.string()), null),
  dispatch: v.optional(v.nullable(v.string()), null),
});

/** One line of `log/<session>.jsonl`: one dispatch. */
export const logLineSchema = v.looseObject({
  at: v.string(),
  dispatch: v.string(),
  event: v.string(),
  tool: v.optional(v.nullable(v.string())),
  /** Of a refused call: its identity and what it asked for, its command line or its arguments; absent in old lines. */
  call: v.optional(v.string()),
  asked: v.optional(v.string()),
  verdict: v.picklist(["pass", "refuse", "infrastructure", "cancelled"]),
  ms: v.number(),
  hooks: v.array(v.looseObject({ hook: v.string(), verdict: v.string(), ms: v.number() })),
  refusal: v.optional(v.string()),
  blockedHookId: v.optional(v.string()),
  what: v.optional(v.string()),
  why: v.optional(v.string()),
  instead: v.optional(v.string()),
  evidence: v.optional(v.string()),
  reason: v.optional(v.string()),
});
export type LogLine = v.InferOutput<typeof logLineSchema>;

/** `control/transcript.<session>.json`: broken lines of a transcript that the operator accepted, by the byte each starts at. */
export const acceptedLinesSchema = v.looseObject({
  accepted: v.array(v.looseObject({ path: v.string(), byte: v.number(), because: v.string(), at: v.string() })),
});

/** Oko's published register of defects (oko.md). */
export const defectRegisterSchema = v.looseObject({
  open: v.array(v.looseObject({ id: v.string(), blocks: v.optional(v.array(v.string()), () => []) })),
  closed: v.optional(
    v.array(
      v.looseObject({
        id: v.string(),
        blocks: v.optional(v.array(v.string()), () => []),
        closure: v.optional(v.nullable(v.string()), null),
      }),
    ),
    () => [],
  ),
});
export type DefectRegister = v.InferOutput<typeof defectRegisterSchema>;

/** TAMA_HOME/settings.json. `repeat: "spec"` keeps the repeat rule to the spec's own list of releases. */
export const settingsSchema = v.looseObject({ repeat: v.optional(v.picklist(["full", "spec"]), "full") });
export type Settings = v.InferOutput<typeof settingsSchema>;
