import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyOf, type Fire, inMode, type PlayedCore, playCore } from "../../../../tests/clients/pretended-omp.ts";
import { Adapter } from "./adapter.ts";

let core: PlayedCore;
const adapters: Adapter[] = [];
beforeEach(() => {
  core = playCore();
});
afterEach(() => {
  for (const one of adapters.splice(0)) one.core.end();
  core.remove();
});

const times = { answerWithinMs: 5000, endingGraceMs: 300, textAnswerMs: 300 };

async function until(holds: () => boolean, what: string): Promise<void> {
  const give = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > give) throw new Error(`never: ${what}; the core saw ${JSON.stringify(core.seen())}`);
    await Bun.sleep(5);
  }
}

function pretend(given: { copies?: number } = {}): Fire {
  const adapter = new Adapter({ ...times, binary: core.binary });
  adapters.push(adapter);
  return copyOf(adapter, given);
}

test("outside a window a prompt is a person's message once, but not where OMP goes on by itself", async () => {
  const fire = pretend({ copies: 2 });
  const delivered = (role: string, attribution: string) => fire("message_start", { message: { role, attribution } });
  await fire("before_agent_start", { prompt: "do it" });
  await fire("before_agent_start", { prompt: "do it" });
  await fire("agent_start");
  await delivered("user", "user");
  await delivered("assistant", "agent");
  // Sent into the running turn.
  await fire("before_agent_start", { prompt: "not so" });
  await delivered("user", "user");
  await fire("agent_end", { willContinue: true });
  await fire("before_agent_start", { prompt: "the reason of a refused ending" });
  await fire("agent_start");
  await delivered("custom", "agent");
  await delivered("assistant", "agent");
  // OMP announced that it goes on, but the person was faster.
  await fire("agent_end", { willContinue: true });
  await fire("before_agent_start", { prompt: "do it" });
  await fire("agent_start");
  await delivered("user", "user");
  await until(() => core.events("input").length === 3, "three messages");
  expect(core.payloads("input").map((one) => one["text"])).toEqual(["do it", "not so", "do it"]);
});

test("in a window a typed message counts once, a slash command only when it becomes a prompt", async () => {
  const fire = pretend({ copies: 2 });
  const window = inMode("tui");
  await fire("input", { text: "hello" }, window);
  await fire("before_agent_start", { prompt: "hello" }, window);
  await fire("agent_start", {}, window);
  await fire("input", { text: "/new" }, window);
  await fire("input", { text: "/review a" }, window);
  await fire("before_agent_start", { prompt: "Review a." }, window);
  await until(() => core.events("input").length === 2, "two messages");
  expect(core.payloads("input").map((one) => one["text"])).toEqual(["hello", "Review a."]);
});

test("what an answer tells the model stands before the turn", async () => {
  const answer = await pretend()("before_agent_start", { prompt: "with context" });
  expect(answer).toEqual({
    message: { customType: "tama", content: "know this", display: false, attribution: "agent" },
  });
});
