import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { applyPlan, readThroughLinks } from "../apply-plan.ts";
import type { Machine } from "../harness.ts";
import { extensionPath, extensionText, ownHeader, pi } from "./install.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tama-pi-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const machine = (more: Partial<Machine> = {}): Machine => ({
  binary: "/opt/tama/tama",
  release: "1.2.3",
  home,
  environment: {},
  which: () => null,
  run: () => Promise.reject(new Error("not asked")),
  read: readThroughLinks,
  ...more,
});

async function applied(plan: typeof pi.planInstall, more?: Partial<Machine>): Promise<readonly string[]> {
  const planned = await plan(machine(more));
  if (!planned.ok) throw new Error(planned.cause);
  const done = applyPlan(planned.value);
  if (!done.ok) throw new Error(done.cause);
  return done.value;
}

test("installing twice writes once, another release replaces, and uninstalling leaves the home as it was", async () => {
  const path = extensionPath(machine());
  expect(await applied(pi.planInstall)).toEqual([path]);
  expect(readFileSync(path, "utf8")).toStartWith(`${ownHeader}\n`);
  expect(await applied(pi.planInstall)).toEqual([]);
  expect(await applied(pi.planInstall, { release: "1.2.4" })).toEqual([path]);
  expect(await applied(pi.planUninstall)).toEqual([path]);
  expect(existsSync(join(home, ".pi"))).toBe(false);
  expect(await applied(pi.planUninstall)).toEqual([]);
});

test("a file that is not Tama's is refused and untouched, both ways; PI_CODING_AGENT_DIR moves the folder", async () => {
  const path = extensionPath(machine());
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "export default () => {};\n");
  for (const plan of [await pi.planInstall(machine()), await pi.planUninstall(machine())])
    expect(plan.ok ? "" : plan.cause).toContain(`${path} is not Tama's`);
  expect(readFileSync(path, "utf8")).toBe("export default () => {};\n");
  const environment = { PI_CODING_AGENT_DIR: join(home, "moved") };
  expect(await applied(pi.planInstall, { environment })).toEqual([join(home, "moved/extensions/tama.ts")]);
});

test("the file loads by itself, hears pi's events, and refuses a call when its program is gone", async () => {
  const text = extensionText({ binary: '/nowhere/ta"ma', release: "1.2.3" });
  expect(/^import [^;]* from "\./m.exec(text)).toBeNull();
  expect(/\bomp\b/i.exec(text)).toBeNull();
  const path = join(home, "tama.ts");
  writeFileSync(path, text);
  const { default: load } = await import(path);
  const handlers = new Map<string, (event: unknown, context: unknown) => unknown>();
  load({ on: (name: string, handler: (event: unknown, context: unknown) => unknown) => handlers.set(name, handler) });
  const sessionManager = { getSessionId: () => "s", getSessionFile: () => undefined, getEntries: () => [] };
  const told: string[] = [];
  const ui = { setStatus: () => {}, notify: (line: string) => told.push(line) };
  const context = { mode: "rpc", hasUI: true, cwd: home, ui, sessionManager };
  const event = { toolName: "bash", toolCallId: "c", input: { command: "ls" } };
  const refused = await handlers.get("tool_call")?.(event, context);
  expect(refused).toMatchObject({ block: true });
  expect(JSON.stringify(refused)).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: cannot run /nowhere/");
  // A second copy of the file gets the same object.
  expect(await handlers.get("tool_call")?.(event, context)).toBeUndefined();
  expect(await handlers.get("input")?.({ text: "hi", source: "interactive" }, context)).toEqual({ action: "handled" });
  expect(told.join("\n")).toContain("TAMA_HOOK_INFRASTRUCTURE");
  const ended = await handlers.get("agent_before_settle")?.({ entries: [], continue: false }, context);
  expect(ended).toMatchObject({ continue: true });
  expect(await handlers.get("agent_before_settle")?.({ entries: [], continue: false }, context)).toBeUndefined();
});
