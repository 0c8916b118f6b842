import * as v from "valibot";
import { describeIssue } from "../words/issue.ts";

// The form in which Claude Code, and after it Codex and Gemini CLI, tell an event: one JSON object on stdin, its name in `hook_event_name`.

/** Input that cannot be taken. What is known of it stays, so that the answer can still take the event's form. */
export interface Unfit {
  readonly kind: "unfit";
  /** The agent's own name of the event, null where not even that can be read. */
  readonly host: string | null;
  readonly stopHookActive: boolean;
  readonly cause: string;
}

/** What every such event says of itself. */
export interface Head {
  readonly hook_event_name: string;
  readonly stop_hook_active?: boolean | null | undefined;
}

export interface HostInput<Host> {
  readonly kind: "input";
  readonly host: Host;
}

/** What stands on stdin, checked against the fields Tama reads. Never throws: input that does not fit is told with its place. */
export function readHostInput<Host extends Head>(
  stdin: string,
  agent: string,
  schema: v.GenericSchema<unknown, Host>,
): HostInput<Host> | Unfit {
  const value = parseJson(stdin, agent);
  if (typeof value === "string") return unfit(null, value);
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { kind: "input", host: parsed.output };
  return unfit(headOf(value), describeIssue("stdin", parsed.issues[0]));
}

export function unfit(head: Head | null, cause: string): Unfit {
  return { kind: "unfit", host: head?.hook_event_name ?? null, stopHookActive: head?.stop_hook_active === true, cause };
}

function headOf(value: object): Head | null {
  const name: unknown = Reflect.get(value, "hook_event_name");
  const active = Reflect.get(value, "stop_hook_active") === true;
  return typeof name === "string" && name !== "" ? { hook_event_name: name, stop_hook_active: active } : null;
}

function parseJson(stdin: string, agent: string): object | string {
  if (stdin.trim() === "") return `stdin is empty; ${agent} writes the event there`;
  try {
    const value: unknown = JSON.parse(stdin);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : "stdin is no JSON object";
  } catch (thrown) {
    return `stdin is no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
