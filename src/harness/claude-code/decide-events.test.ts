import { expect, test } from "bun:test";
import { systemClock } from "../../base/clock.ts";
import type { Core } from "../../core/core.ts";
import { homeAt } from "../../disk/home.ts";
import type { HookEvent } from "../../words/event.ts";
import { patienceOver, watchHost } from "../watch-host.ts";
import { decideEvents } from "./decide-events.ts";

const event: HookEvent = { event: "stop", payload: { session: "s", answer: "done" } };
const setting = { home: homeAt("/nowhere"), harness: "claude-code", environment: {}, program: [], clock: systemClock };

/** A core with one hook that says a word and then never answers. */
const waiting: Pick<Core, "dispatch" | "running" | "setting"> = {
  setting,
  running: () => [{ dispatch: "d", event: "stop", session: "s", hooks: ["slow-judge", "other"] }],
  dispatch: async ({ signal, onProgress }) => {
    onProgress("slow-judge", "asking the judge");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { ok: false, cancelled: true, reason: String(signal.reason) };
  },
};

test("when the host's clock is nearly over the refusal names what is waited for", async () => {
  const watch = watchHost({
    stopped: new AbortController().signal,
    host: "Claude Code",
    hostPid: undefined,
    patienceMs: 5,
  });
  const decision = await decideEvents(waiting, [event], watch);
  watch.close();
  expect(watch.signal.reason).toBe(patienceOver("Claude Code"));
  expect(decision).toEqual({
    kind: "refuse",
    reason: `TAMA_HOOK_INFRASTRUCTURE: tama: ${patienceOver("Claude Code")}; still waited for: slow-judge (it last said: asking the judge), other. Nothing was judged`,
  });
});

test("a signal and a host that is gone end the wait with their own words", async () => {
  const stopped = new AbortController();
  const watch = watchHost({
    stopped: stopped.signal,
    host: "Claude Code",
    hostPid: String(process.pid),
    patienceMs: 60_000,
  });
  const deciding = decideEvents(waiting, [event], watch);
  stopped.abort("SIGTERM");
  const cancelled = { kind: "refuse", reason: "TAMA_HOOK_INFRASTRUCTURE: tama: cancelled: SIGTERM came" };
  expect(await deciding).toEqual(cancelled as typeof cancelled & { kind: "refuse" });
  watch.close();
  const child = Bun.spawn(["true"]);
  await child.exited;
  const gone = watchHost({
    stopped: new AbortController().signal,
    host: "Claude Code",
    hostPid: String(child.pid),
    patienceMs: 60_000,
  });
  gone.close();
  expect(gone.signal.reason).toBe("Claude Code is gone");
});
