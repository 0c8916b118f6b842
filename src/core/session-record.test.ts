import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { homeAt, prepareHome } from "../disk/home.ts";
import type { HookEvent } from "../words/event.ts";
import type { PassAnswer } from "../words/wire.ts";
import { openSessionRecords } from "./session-record.ts";

const root = mkdtempSync(join(tmpdir(), "tama-session-record-"));
afterAll(() => rmSync(root, { recursive: true }));
const home = homeAt(root);
prepareHome(home);
const owner = { session: "s", agentId: null };
const catalog = { id: "c", hooks: [], present: true };
const pass: PassAnswer = { ok: true, verdict: "pass", hooks: [] };
const call: HookEvent = { event: "tool_call", payload: { session: "s", tool: "Bash", input: {} } };
const stop: HookEvent = { event: "stop", payload: { session: "s", answer: "done" } };

let at = Date.parse("2026-01-01T00:00:00.000Z");
const clock: Clock = { ...systemClock, iso: () => new Date(at).toISOString() };

/** One event in a core of its own, as a harness that starts a process an event has it. */
async function once(event: HookEvent): Promise<void> {
  appendFileSync(home.sessionLog("s", null), `${JSON.stringify({ at: clock.iso(), event: event.event })}\n`);
  const records = openSessionRecords(home, "claude-code", clock);
  await records.note(owner, event, pass, catalog);
  await records.flush();
}

function kept(): { readonly calls: number; readonly event: string } {
  const record = openSessionRecords(home, "claude-code", clock).read(owner);
  if (!record.ok || record.value === null) throw new Error("no record");
  return { calls: record.value.calls, event: record.value.lastEvent.event };
}

test("plain passes are written once a minute or with what says more, and no call is lost", async () => {
  await once(call);
  expect(kept()).toEqual({ calls: 1, event: "tool_call" });
  for (let sent = 0; sent < 3; sent++) await once(call);
  expect(kept()).toEqual({ calls: 1, event: "tool_call" });
  await once(stop);
  expect(kept()).toEqual({ calls: 4, event: "stop" });
  at += 61_000;
  await once(call);
  expect(kept()).toEqual({ calls: 5, event: "tool_call" });
  // A clock that was set back does not put the next write off for as long.
  at -= 3_600_000;
  await once(call);
  expect(kept()).toEqual({ calls: 6, event: "tool_call" });
});

test("a core that lives on remembers likewise", async () => {
  const records = openSessionRecords(home, "omp", clock);
  for (let sent = 0; sent < 5; sent++) {
    appendFileSync(home.sessionLog("s", null), `${JSON.stringify({ event: "tool_call" })}\n`);
    await records.note(owner, call, pass, catalog);
  }
  expect(kept().calls).toBe(6);
  await records.note(owner, { event: "session_end", payload: { session: "s" } }, pass, catalog);
  expect(kept()).toEqual({ calls: 11, event: "session_end" });
});
