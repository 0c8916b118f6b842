import { done, type Result } from "../../base/result.ts";
import { callIdentity } from "../../calls/identity.ts";
import type { Home } from "../../disk/home.ts";
import { readRecord } from "../../disk/read-record.ts";
import type { HookEvent } from "../../words/event.ts";
import { startedCallsSchema } from "../../words/kept-calls.ts";

type ToolCall = HookEvent & { readonly event: "tool_call" };

/**
 * The call that a permission dialog is about, where it is still to be judged; null where PreToolUse admitted that very call, which is the
 * person's to decide now and must not be judged, nor counted, a second time.
 *
 * What PreToolUse never saw so is judged here: a call that another hook rewrote (`updatedInput`) after Tama was asked. The dialog names no
 * call, so it is taken for the newest call of that tool that has no answer yet.
 */
export function callToJudge(home: Home, { payload }: ToolCall): Result<ToolCall | null> {
  const { session, agentId, tool, cwd, input } = payload;
  const started = readRecord(home.startedCalls(session ?? "", agentId ?? null), startedCallsSchema);
  if (!started.ok) return started;
  const calls = started.value?.calls ?? {};
  if (Object.hasOwn(calls, callIdentity("claude-code", tool, cwd ?? null, input))) return done(null);
  const newest = Object.values(calls)
    .flat()
    .filter((one) => one.tool === tool && one.harnessCall !== null)
    .reduce<string | null>((last, one) => (last === null || one.at > last ? one.at : last), null);
  const call = Object.values(calls)
    .flat()
    .find((one) => one.tool === tool && one.at === newest)?.harnessCall;
  return done({ event: "tool_call", payload: { ...payload, ...(call == null ? {} : { call }) } });
}
