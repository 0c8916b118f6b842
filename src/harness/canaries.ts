import { canaryTool } from "../core/canary.ts";
import type { Line } from "./examine/inspection.ts";
import type { Machine } from "./harness.ts";

// The call that `tama doctor` makes to see that a registered line refuses: a tool of Tama's own, in each form in which a call is asked about.

/** The line of an agent that starts one process an event; `command` null = none is registered. */
export function hookLine(
  { home }: Pick<Machine, "home">,
  command: string | null,
  { event, refusal, callField }: HookTongue,
): Line | null {
  const asked = { hook_event_name: event, session_id: "tama-doctor", cwd: home, tool_name: canaryTool };
  const canary = (mark: string): string =>
    JSON.stringify({ ...asked, tool_input: { mark }, ...(callField === undefined ? {} : { [callField]: mark }) });
  return command === null ? null : { command, canary, refusal };
}

/** How such an agent asks about a call, and what stands in a refusal as it takes one. */
export interface HookTongue {
  readonly event: string;
  readonly refusal: string;
  /** The field of a call's id; absent where the agent sends none. */
  readonly callField?: string;
}

/** As an extension's core reads it (contract 2). */
export function serveCanary(mark: string): string {
  const payload = { session: "tama-doctor", tool: canaryTool, input: { mark }, call: mark };
  return JSON.stringify({ id: mark, op: "dispatch", event: "tool_call", payload });
}
