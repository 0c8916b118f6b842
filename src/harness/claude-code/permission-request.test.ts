import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callIdentity } from "../../calls/identity.ts";
import { homeAt } from "../../disk/home.ts";
import { callToJudge } from "./permission-request.ts";

const root = mkdtempSync(join(tmpdir(), "tama-permission-"));
afterAll(() => rmSync(root, { recursive: true }));
const home = homeAt(root);
const asked = (command: string) =>
  ({ event: "tool_call", payload: { session: "s", cwd: "/w", tool: "Bash", input: { command } } }) as const;

function started(calls: object): void {
  const path = home.startedCalls("s", null);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ calls }));
}

test("a call that was admitted is the person's; one that was rewritten since is judged under the harness's own id", () => {
  const entry = (harnessCall: string, at: string) => ({ tool: "Bash", at, harnessCall, message: null });
  started({
    [callIdentity("claude-code", "Bash", "/w", { command: "old" })]: [entry("t-1", "2026-01-01T00:00:01.000Z")],
    [callIdentity("claude-code", "Bash", "/w", { command: "new" })]: [entry("t-2", "2026-01-01T00:00:02.000Z")],
    [callIdentity("claude-code", "Read", "/w", {})]: [{ ...entry("t-3", "2026-01-01T00:00:03.000Z"), tool: "Read" }],
  });
  expect(callToJudge(home, asked("new"))).toEqual({ ok: true, value: null });
  expect(callToJudge(home, asked("rewritten"))).toMatchObject({ ok: true, value: { payload: { call: "t-2" } } });
});

test("a call that nobody asked about is judged without an id; an unreadable record decides nothing", () => {
  rmSync(home.startedCalls("s", null), { force: true });
  const judged = callToJudge(home, asked("x"));
  expect(judged).toMatchObject({ ok: true, value: { payload: { input: { command: "x" } } } });
  expect(judged.ok && judged.value !== null && "call" in judged.value.payload).toBe(false);
  mkdirSync(dirname(home.startedCalls("s", null)), { recursive: true });
  writeFileSync(home.startedCalls("s", null), "{");
  expect(callToJudge(home, asked("x"))).toMatchObject({ ok: false });
});
