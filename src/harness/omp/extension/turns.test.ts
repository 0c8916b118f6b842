import { expect, test } from "bun:test";
import { compactionBegan, compactionEnds } from "./compaction.ts";
import type { Context, Host } from "./host.ts";
import { newSession } from "./session.ts";
import { startTurn } from "./turns.ts";

test("a message that starts a turn waits until OMP's compaction is over", async () => {
  const sent: boolean[] = [];
  const pi: Host = {
    on: () => {},
    sendMessage: () => {
      sent.push(session.inCompaction);
      session.runs += 1;
    },
  };
  const session = newSession({ session: "s", agentId: null }, pi);
  const idle = { isIdle: () => true } as Partial<Context> as Context;
  compactionBegan(session);
  const message = { customType: "tama-ending", content: "no", display: true };
  const started = startTurn(session, idle, message, () => true);
  await new Promise((next) => setTimeout(next, 0));
  expect(sent).toEqual([]);
  compactionEnds(session);
  expect(await started).toBeNull();
  expect(sent).toEqual([false]);
});
