import { canaryTool } from "../core/canary.ts";
import type { Machine } from "./harness.ts";

// The call that `tama doctor` makes to see that a registered line refuses: a tool of Tama's own, in each form in which a call is asked about.

/** As an agent tells it on stdin that starts one process an event. `more` = fields beside the common ones. */
export function hookCanary({ home }: Pick<Machine, "home">, event: string, mark: string, more: object = {}): string {
  return JSON.stringify({
    hook_event_name: event,
    session_id: "tama-doctor",
    cwd: home,
    tool_name: canaryTool,
    tool_input: { mark },
    ...more,
  });
}

/** As an extension's core reads it (contract 2). */
export function serveCanary(mark: string): string {
  const payload = { session: "tama-doctor", tool: canaryTool, input: { mark }, call: mark };
  return JSON.stringify({ id: mark, op: "dispatch", event: "tool_call", payload });
}
