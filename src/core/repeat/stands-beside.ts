import { messageBeforeCall } from "../../transcript/message-before-call.ts";
import { messageOfCall } from "../../transcript/message-of-call.ts";
import type { StartedCall } from "../../words/kept-calls.ts";
import type { Call } from "./call.ts";
import type { RepeatSetting } from "./store.ts";

/**
 * Whether a call stands in the same message as an earlier send of it whose message is not known, or in the one that replaced that message:
 * a harness may write the message's row only after it asks about its calls (Claude Code: some 70 ms). Only a call sent while its own
 * earlier send has no answer waits for that.
 */
export async function standsBeside(setting: RepeatSetting, call: Call, one: StartedCall): Promise<boolean> {
  if (call.transcript === null || call.harnessCall === null || one.harnessCall === null) return false;
  if (call.message !== null && one.message !== null) return false;
  for (let look = 0; look < rowLooks; look++) {
    const own = messageOfCall(call.transcript, call.harnessCall);
    const earlier = messageOfCall(call.transcript, one.harnessCall);
    if (!own.ok || !earlier.ok) return false;
    if (own.value !== null && own.value === earlier.value) return true;
    if (own.value !== null) {
      const before = messageBeforeCall(call.transcript, call.harnessCall);
      return before.ok && before.value !== null && before.value === earlier.value;
    }
    await setting.clock.sleep(10);
  }
  return false;
}

/** Half a second; then the call is judged without it. */
const rowLooks = 50;
