import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyOf, type Fire, type PlayedCore, playCore, type Sent } from "../../../../tests/clients/pretended-omp.ts";
import { Adapter } from "./adapter.ts";

let core: PlayedCore;
let sent: Sent;
const adapters: Adapter[] = [];
beforeEach(() => {
  core = playCore();
  sent = { messages: [], entries: [] };
});
afterEach(() => {
  for (const one of adapters.splice(0)) one.core.end();
  core.remove();
});

const compacted = { compactionEntry: { summary: "what was" } };

function pretend(play: string): Fire {
  core.place(`PLAY=${play}`);
  const times = { answerWithinMs: 5000, endingGraceMs: 150, textAnswerMs: 200 };
  const adapter = new Adapter({ ...times, binary: core.binary });
  adapters.push(adapter);
  return copyOf(adapter, { sent });
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const give = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > give) throw new Error(`never: ${what}`);
    await Bun.sleep(5);
  }
}

test("restored context stands in each request of a run that goes on, and in the next turn's own message once", async () => {
  const fire = pretend("remember");
  await fire("session_start");
  await fire("session_compact", compacted);
  const given = { messages: [{ role: "user" }] };
  const said = { customType: "tama", content: "remember this", display: false, attribution: "agent" };
  for (let request = 0; request < 2; request += 1)
    expect(await fire("context", given)).toMatchObject({ messages: [{ role: "user" }, { role: "custom", ...said }] });
  expect(await fire("before_agent_start", { prompt: "go on" })).toEqual({ message: said });
  expect(await fire("context", given)).toBeUndefined();
});

for (const [what, act, why] of [
  ["a message", (fire: Fire) => fire("before_agent_start", { prompt: "new" }), "a new message of the person came"],
  ["another compaction", (fire: Fire) => fire("session_compact", compacted), "the session was compacted"],
  ["another session", (fire: Fire) => fire("session_switch"), "the session was activated again"],
] as const)
  test(`context that is still awaited when ${what} comes is discarded, and why is kept`, async () => {
    const fire = pretend("silent");
    await fire("session_start");
    const first = fire("session_compact", compacted);
    await until(() => core.events("compact").length === 1, "the compaction");
    void act(fire);
    await first;
    expect(sent.entries[0]).toMatchObject({ customType: "tama-discarded-context", why });
    await until(() => core.seen().some((line) => line["op"] === "cancel"), "the cancel");
  });

test("the compaction's own signal ends its hooks", async () => {
  const fire = pretend("silent");
  await fire("session_start");
  const abort = new AbortController();
  await fire("session_before_compact", { signal: abort.signal });
  const pending = fire("session_compact", compacted);
  await until(() => core.events("compact").length === 1, "the compaction");
  abort.abort();
  await pending;
  expect(sent.entries[0]).toMatchObject({ why: "the compaction was interrupted" });
});
