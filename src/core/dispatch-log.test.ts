import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newRefusalId } from "../base/ids.ts";
import { homeAt, prepareHome } from "../disk/home.ts";
import { parseEvent } from "../words/event.ts";
import { logDispatch } from "./dispatch-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tama-dispatch-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The log's text after a refused call with this line and what was said of it. */
function logged(command: string, what: string): string {
  const home = homeAt(join(folder, "home"));
  expect(prepareHome(home).ok).toBe(true);
  const event = parseEvent("tool_call", { tool: "bash", input: { command } });
  if (typeof event === "string") throw new Error(event);
  const refusal = { what, why: "w", instead: "i" };
  const hooks = [{ hook: "h", verdict: "refuse" as const, ms: 1 }];
  const answer = {
    ok: true,
    verdict: "refuse",
    blockedHookId: "h",
    refusal: newRefusalId(),
    reason: what,
    hooks,
  } as const;
  const owner = { session: "s", agentId: null };
  logDispatch(home, {
    harness: "omp",
    owner,
    dispatch: "d",
    event,
    answer,
    at: "2026-12-01T00:00:00.000Z",
    ms: 1,
    refusal,
  });
  return readFileSync(home.sessionLog("s", null), "utf8");
}

test("a secret across the place where a long text is cut is hidden, not halved", () => {
  const secret = `ghp_${"aB3".repeat(14)}`;
  for (const [half, place] of [
    [2 * 1024, "asked"],
    [32 * 1024, "what"],
  ] as const) {
    const long = `${" ".repeat(half - 20)}${secret}${" ".repeat(half)} end`;
    const line = logged(place === "asked" ? long : "ls", place === "what" ? long : "no");
    expect([place, line.includes("bytes left out here")]).toEqual([place, true]);
    expect([place, line.includes("aB3aB3")]).toEqual([place, false]);
    rmSync(join(folder, "home"), { recursive: true });
  }
});
