import type { Clock } from "../base/clock.ts";
import { knowsSame, type Ledger } from "../transcript/ledger.ts";
import { lastAnswer } from "../transcript/tail.ts";
import type { HookEvent } from "../words/event.ts";
import type { TranscriptOf } from "./transcript-reading.ts";

/**
 * Claude Code writes its rows in batches, some 70 ms after it asks its hooks (measured), so a transcript may lack what happened just
 * before. Where that could make a refusal wrong, it is waited for; the rows come while we wait. Other harnesses write first.
 */
export function writesLate(harness: string): boolean {
  return harness.toLowerCase() === "claude-code";
}

/** Looks again until `isThere`, half a second at most; then it is judged by what there is. */
export async function untilWritten<Value>(
  clock: Clock,
  read: () => Value,
  isThere: (value: Value) => boolean,
): Promise<Value> {
  let value = read();
  for (let look = 0; look < looks && !isThere(value); look++) {
    await clock.sleep(10);
    value = read();
  }
  return value;
}

const looks = 50;

/** Only a call that was sent before waits for its own row, behind which every earlier one stands. */
export function lacksOwnRow(event: HookEvent, ledger: Ledger): boolean {
  if (event.event !== "tool_call" || event.payload.call == null) return false;
  return !Object.hasOwn(ledger.open, event.payload.call) && knowsSame(ledger, "claude-code", event.payload);
}

/** Waits for the row of the very answer that a stop ends with. */
export async function untilAnswerStands(
  clock: Clock,
  of: Pick<TranscriptOf, "path" | "harness">,
  answer: string,
): Promise<void> {
  const wanted = answer.trim();
  if (wanted === "" || !writesLate(of.harness)) return;
  await untilWritten(
    clock,
    () => lastAnswer({ path: of.path, harness: of.harness, accepted: new Set() }),
    (last) => !last.ok || last.value === null || isSameText(last.value.text.trim(), wanted),
  );
}

function isSameText(written: string, wanted: string): boolean {
  return written !== "" && (written.includes(wanted) || wanted.includes(written));
}
