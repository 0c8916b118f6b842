import * as v from "valibot";
import { eventNames, type HookEvent } from "./event.ts";
import { describeIssue } from "./issue.ts";

/** A hook's declaration (contract 4). Strict: a misspelt key would silently switch a gate off. */
const strings = v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.nonEmpty());
const id = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9][a-z0-9._-]{0,99}$/,
    "up to 100 lower-case letters, digits, dots, dashes and underscores, a letter or digit first",
  ),
);

const reach = v.strictObject({
  event: v.picklist(eventNames),
  tools: v.optional(strings),
  agent: v.optional(v.picklist(["main", "sub", "both"])),
  harness: v.optional(v.pipe(v.string(), v.nonEmpty())),
});

const gateProgram = v.strictObject({ gate: v.pipe(v.string(), v.nonEmpty()) });
const commandProgram = v.strictObject({
  command: strings,
  contract: v.optional(v.picklist(["tama", "claude-code"])),
});

const declarationSchema = v.strictObject({
  id,
  discipline: v.optional(v.pipe(v.string(), v.nonEmpty())),
  says: v.pipe(v.string(), v.nonEmpty()),
  on: v.pipe(v.array(reach), v.nonEmpty()),
  program: v.union([gateProgram, commandProgram]),
});

export type Declaration = v.InferOutput<typeof declarationSchema>;
export type Reach = v.InferOutput<typeof reach>;

/** `registry.json` (contract 5). */
export const registrySchema = v.looseObject({
  declared: v.array(v.looseObject({ ...declarationSchema.entries, file: v.string(), at: v.string() })),
});
export type Registry = v.InferOutput<typeof registrySchema>;
export type DeclaredHook = Registry["declared"][number];

/** The declaration, or a sentence naming the field that does not fit. */
export function parseDeclaration(value: unknown): Declaration | string {
  if (Array.isArray(value)) return "declaration: expected an object, got a list";
  const parsed = v.safeParse(declarationSchema, value);
  if (parsed.success) return parsed.output;
  const issue = parsed.issues[0];
  if (issue.path?.at(-1)?.key === "program" && issue.type === "union") {
    return 'declaration.program: expected {"gate":"<gate>"} or {"command":["<program>",…],"contract":"tama"|"claude-code"}';
  }
  if (issue.type === "strict_object" && issue.expected === "never") {
    return `declaration.${(issue.path ?? []).map((item) => String(item.key)).join(".")}: no such field`;
  }
  if (issue.type === "regex") return `declaration.id: expected ${issue.message}, got ${issue.received}`;
  return describeIssue("declaration", issue);
}

/** Whether a declaration reaches an event (contract 3.2 and 4). */
export function reaches(
  declaration: Pick<Declaration, "on">,
  event: HookEvent,
  harness: string,
  kind: string | null,
): boolean {
  return declaration.on.some((one) => reachesOnce(one, event, harness, kind));
}

function reachesOnce(one: Reach, event: HookEvent, harness: string, kind: string | null): boolean {
  if (one.event !== event.event) return false;
  if (one.harness !== undefined && one.harness !== harness) return false;
  const agent = one.agent ?? (event.event === "stop" ? "main" : "both");
  const sub =
    event.payload.agent === "sub" || (event.payload.agent == null && typeof event.payload.agentId === "string");
  if (agent !== "both" && (agent === "sub") !== sub) return false;
  if (event.event !== "tool_call" && event.event !== "tool_result") return true;
  const tool = event.payload.tool.toLowerCase();
  return (one.tools ?? ["*"]).some((word) => word === "*" || word.toLowerCase() === tool || word === `kind:${kind}`);
}
