import { newRefusalId } from "../../base/ids.ts";
import type { Core } from "../../core/core.ts";
import { logDispatch } from "../../core/dispatch-log.ts";
import { ownerOf } from "../../core/repeat/call.ts";
import type { HookEvent } from "../../words/event.ts";
import type { RefuseAnswer } from "../../words/wire.ts";
import { answerOneEvent } from "../answer-one-event.ts";
import type { OneShot } from "../one-shot.ts";
import { hostLimitSeconds } from "./entries.ts";
import { answerInHostsTongue } from "./host-answer.ts";
import { type HostEvent, readHostEvent } from "./host-event.ts";
import { typedInputRefusal } from "./typed-input.ts";

/** One event of Codex. Codex itself would send a refused ending back for ever (measured); the core's releases end that. */
export async function answerCodex(context: OneShot): Promise<number> {
  return await answerOneEvent<HostEvent>(context, {
    harness: "codex",
    name: "Codex",
    limitMs: hostLimitSeconds * 1000,
    read: (stdin) => readWhole(stdin, context),
    say: answerInHostsTongue,
    before: (core, heard, event, id) => (event.event === "tool_call" ? refusedTyping(core, heard, event, id) : null),
  });
}

/** An ending that is not written yet is looked for a few times more; without it a failure would pass for a success. */
async function readWhole(stdin: string, { clock }: OneShot): Promise<HostEvent> {
  for (let looks = 1; ; looks++) {
    const event = readHostEvent(stdin);
    if (event.kind !== "decide" || event.told || looks === looksMax) return event;
    await clock.sleep(20);
  }
}

const looksMax = 15;

/** Refused before any hook is asked, and logged like any refusal so that `tama why` explains it. */
function refusedTyping(
  core: Core,
  { shell }: HostEvent & { kind: "decide" },
  event: HookEvent,
  id: string,
): RefuseAnswer | null {
  const refusal = shell === null ? null : typedInputRefusal(shell.line, shell.terminal);
  const owner = ownerOf(event.payload);
  if (refusal === null || owner === null) return null;
  const { what, why, instead } = refusal;
  const reason = `BLOCKED: ${typedInputId}: ${what} ${why} ${instead}`;
  const answer: RefuseAnswer = {
    ok: true,
    verdict: "refuse",
    blockedHookId: typedInputId,
    refusal: newRefusalId(),
    reason,
    hooks: [],
  };
  const { harness, home, clock } = core.setting;
  logDispatch(home, { harness, owner, dispatch: id, event, answer, at: clock.iso(), ms: 0, refusal });
  return answer;
}

const typedInputId = "codex-typed-input";
