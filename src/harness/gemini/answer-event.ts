import { answerOneEvent } from "../answer-one-event.ts";
import type { OneShot } from "../one-shot.ts";
import { hostLimitMs } from "./entries.ts";
import { answerInHostsTongue } from "./host-answer.ts";
import { readHostEvent } from "./host-event.ts";

/** One event of Gemini CLI. */
export async function answerGemini(context: OneShot): Promise<number> {
  return await answerOneEvent(context, {
    harness: "gemini",
    name: "Gemini CLI",
    limitMs: hostLimitMs,
    read: readHostEvent,
    say: answerInHostsTongue,
  });
}
