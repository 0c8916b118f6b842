import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorld, tama } from "../tama-command.ts";
import { assignedRecords, type HeldHook, type HeldHookRequest, startHeldHook } from "./held-hook.ts";
import { qualify } from "./report.ts";

// The spec's held-endpoint journeys: the hook's own curl waits for an answer that never comes, and each way of letting go must end it.

let held: HeldHook | null = null;
afterEach(async () => {
  await held?.cleanUp();
  held = null;
});

async function holding(request: HeldHookRequest = {}): Promise<HeldHook> {
  held = await startHeldHook(request);
  return held;
}

test("a cancelled dispatch ends its hook and the hook's connection, and the core goes on", async () => {
  const hook = await holding();
  const { core, endpoint } = hook;
  const running = await core.request("hooks/running");
  const cancelled = await core.cancel(hook.dispatch);
  const answer = await core.answer(hook.dispatch);
  const recordsWhenAnswered = assignedRecords(hook.world);
  const connection = await endpoint.ended;
  await hook.processesGone();
  const next = await core.dispatch("tool_call", { session: "held", tool: "bash", input: { command: "true" } });
  const late = await core.cancel(hook.dispatch);
  const end = await core.close();
  const folder = await hook.report("cancel", { running, cancelled, answer, connection, next, late });

  expect(running["answer"]).toMatchObject({
    errors: [],
    hooks: [{ hook: "held-hook", ownershipState: "owned", coreAlive: true, session: "held", dispatch: hook.dispatch }],
  });
  expect(cancelled).toMatchObject({ ok: true, dispatchId: hook.dispatch, owned: true });
  expect(answer).toMatchObject({ ok: false, cancelled: true });
  expect(answer["reason"]).toContain(String(cancelled["id"]));
  expect(answer).not.toHaveProperty("verdict");
  expect(core.frames.filter((frame) => frame["id"] === hook.dispatch)).toHaveLength(1);
  expect(connection).toBe("eof");
  expect(endpoint.connections()).toBe(1);
  expect(Object.keys(hook.birthRecords)).toHaveLength(1);
  expect(recordsWhenAnswered).toEqual({});
  expect(late).toMatchObject({ ok: true, owned: false });
  expect(next).toMatchObject({ ok: true, verdict: "pass" });
  expect(end).toEqual({ code: 0, signal: null });
  expect(core.stderr()).toBe("");
  expectReport(folder, hook);
});

test("closing the core's input lets go of every hook, also of a dispatch without a session", async () => {
  const hook = await holding({ payload: { answer: "done" } });
  const { core, endpoint } = hook;
  core.closeInput();
  const end = await core.ended;
  const recordsAtExit = assignedRecords(hook.world);
  const aliveAtExit = hook.processes.filter((one) => existsSync(`/proc/${one.pid}`));
  const connection = await endpoint.ended;
  const folder = await hook.report("input-closed", { connection, recordsAtExit, aliveAtExit });

  expect(end).toEqual({ code: 0, signal: null });
  expect(aliveAtExit).toEqual([]);
  expect(recordsAtExit).toEqual({});
  expect(connection).toBe("eof");
  expect(await core.answer(hook.dispatch)).toMatchObject({ ok: false, cancelled: true });
  expect(core.frames.filter((frame) => frame["id"] === hook.dispatch)).toHaveLength(1);
  expectReport(folder, hook);
});

test("a killed core takes its hook along, and the next inspection removes the record", async () => {
  const hook = await holding();
  const { core, endpoint, world } = hook;
  core.kill("SIGKILL");
  const end = await core.ended;
  const connection = await endpoint.ended;
  await hook.processesGone();
  const left = assignedRecords(world);
  const inspected = await tama(world, ["hooks", "running", "--json"]);
  const folder = await hook.report("core-killed", { connection, left, inspected });

  expect(end).toEqual({ code: null, signal: "SIGKILL" });
  expect(connection).toBe("eof");
  expect(core.frames.some((frame) => frame["id"] === hook.dispatch)).toBe(false);
  expect(left).toEqual(hook.birthRecords);
  expect(inspected).toMatchObject({ code: 0, signal: null });
  expect(JSON.parse(inspected.stdout)).toEqual({ hooks: [], errors: [] });
  expect(assignedRecords(world)).toEqual({});
  expectReport(folder, hook);
});

test("a declared revision is believed only of a clean tree that is at it", () => {
  const world = makeWorld();
  const git = (...words: string[]): string => {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main"];
    const ran = Bun.spawnSync(["git", ...identity, ...words], { cwd: world.root, env: { ...world.environment } });
    return ran.stdout.toString().trim();
  };
  world.write("source.ts", "one");
  git("init");
  git("add", "source.ts");
  git("commit", "-m", "one");
  const revision = git("rev-parse", "HEAD");
  world.write("beside.ts", "an untracked file changes nothing that is tracked");
  expect(qualify(revision, world.root)).toMatchObject({ sourceRevision: revision, treeIsClean: true });
  expect(() => qualify("0".repeat(40), world.root)).toThrow(`the tree is at ${revision}`);
  world.write("source.ts", "two");
  expect(() => qualify(revision, world.root)).toThrow("has changes");
  world.remove();
});

function expectReport(folder: string, hook: HeldHook): void {
  const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
  expect(report).toMatchObject({ command: hook.core.command, binarySha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(readFileSync(join(folder, "frames.jsonl"), "utf8")).toContain("czekam");
  expect(readFileSync(join(folder, "birth-records.json"), "utf8")).toContain("hookBirthIdentity");
  const [record] = Object.values(hook.birthRecords);
  expect(record).toContain('{"progress":"czekam');
}
