import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { homeAt } from "../disk/home.ts";
import { findBaseline } from "./baseline.ts";
import { keepSeen, waitName } from "./seen-answers.ts";

const root = mkdtempSync(join(tmpdir(), "tama-baseline-"));
const home = homeAt(join(root, "home"));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const waiter = { session: "s", agentId: null };
const after = "0123456789abcdef";
const name = waitName(["./check.sh"], "/srv/app", after);

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
}

function callFailed(at: string): void {
  const call = { tool: "bash", said: "red", answer: "red\n\nCommand exited with code 1", by: "failed", at };
  write(home.failedCalls("s", null), JSON.stringify({ calls: { [after]: call } }));
  const lastEvent = { event: "tool_result", at };
  const record = { session: "s", harness: "omp", firstSeen: at, lastEvent, catalog: { id: "", hooks: [] } };
  write(home.sessionRecord("s", null), JSON.stringify(record));
}

const told = { kind: "told", told: { body: "red", code: 1, at: "2026-11-30T10:00:00.000Z" } } as const;
const seen = (at: string): Promise<unknown> => keepSeen(home, waiter, name, { digest: "1 x y", at });

describe("what a new answer must differ from", () => {
  test("is nothing from before without a session, or without an answer", () => {
    expect(findBaseline({ home, waiter: null, after: null, name })).toEqual({ baseline: null, notes: [] });
    expect(findBaseline({ home, waiter, after: null, name })).toEqual({ baseline: null, notes: [] });
    expect(findBaseline({ home, waiter, after, name })).toMatchObject({ baseline: null, notes: [expect.anything()] });
  });

  test("is what the call was told", () => {
    callFailed("2026-11-30T10:00:00.000Z");
    expect(findBaseline({ home, waiter, after, name })).toEqual({ baseline: told, notes: [] });
  });

  test("is what the same wait saw since, and not another one", async () => {
    callFailed("2026-11-30T10:00:00.000Z");
    await seen("2026-11-30T10:00:01.000Z");
    const another = waitName(["./check.sh"], "/srv/other", after);
    expect(findBaseline({ home, waiter, after, name }).baseline).toEqual({ kind: "seen", digest: "1 x y" });
    expect(findBaseline({ home, waiter, after, name: another }).baseline).toEqual(told);
  });

  test("is what the call was told when it was made again since", async () => {
    await seen("2026-11-30T09:59:59.000Z");
    callFailed("2026-11-30T10:00:00.000Z");
    expect(findBaseline({ home, waiter, after, name }).baseline).toEqual(told);
  });

  test("is unknown, and says why, where a record cannot be read", () => {
    write(home.failedCalls("s", null), "{");
    const { baseline, notes } = findBaseline({ home, waiter, after, name });
    expect(baseline).toBeNull();
    expect(notes[0]).toContain(home.failedCalls("s", null));
  });
});
