import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { tama } from "../tama-command.ts";
import { until } from "../until.ts";
import { startHeldHook } from "./held-hook.ts";
import { hideProcesses, whyNoSandbox } from "./hidden-processes.ts";
import { lockIsHeld } from "./lock-probe.ts";

// The spec's sandbox journey: no process may look at another, and still ownership is known and everything goes with the core.

const why = whyNoSandbox();
const name = (what: string): string => (why === null ? what : `${what} (skipped: ${why})`);
const hidden = hideProcesses();
afterAll(() => hidden.remove());

test.skipIf(why !== null)(
  name("without process information the waiting hook is identified, and all of it goes with a killed core"),
  async () => {
    const hook = await startHeldHook({ core: { under: hidden.under }, sandboxProfile: hidden.profile });
    const { core, world } = hook;
    const [name = ""] = Object.keys(hook.birthRecords);
    const record = join(world.home, "in-flight", name);
    const canLook = await tama(world, ["hooks", "running", "--json"], { under: hidden.under });
    const status = await core.request("runtime/status");
    const heldBefore = lockIsHeld(record);
    core.kill("SIGKILL");
    const end = await core.ended;
    const connection = await hook.endpoint.ended;
    const lockGone = await until("the record's lock let go", () => !lockIsHeld(record));
    await hook.processesGone();
    const after = await tama(world, ["hooks", "running", "--json"], { under: hidden.under });
    await hook.report("sandbox", { status, canLook, heldBefore, connection, lockGone, after });
    await hook.cleanUp();

    const expected = {
      hookBirthIdentity: name.replace(".json", ""),
      ownershipState: "owned",
      hook: "held-hook",
      session: "held",
      dispatch: hook.dispatch,
    };
    expect(status["answer"]).toMatchObject({ errors: [], hooks: [expected] });
    expect(JSON.parse(canLook.stdout)).toMatchObject({ errors: [], hooks: [{ ...expected, coreAlive: null }] });
    expect(heldBefore).toBe(true);
    expect(end).toEqual({ code: null, signal: "SIGKILL" });
    expect(connection).toBe("eof");
    expect(after.code).toBe(0);
    expect(JSON.parse(after.stdout)).toEqual({ hooks: [], errors: [] });
    expect(core.stderr()).toBe("");
  },
);

test.skipIf(why !== null)(
  name("without process information a cancel still ends the hook, its child and its record"),
  async () => {
    const hook = await startHeldHook({ core: { under: hidden.under }, sandboxProfile: hidden.profile });
    await hook.core.cancel(hook.dispatch);
    const answer = await hook.core.answer(hook.dispatch);
    const connection = await hook.endpoint.ended;
    await hook.processesGone();
    const end = await hook.core.close();
    await hook.report("sandbox-cancel", { answer, connection });
    await hook.cleanUp();

    expect(answer).toMatchObject({ ok: false, cancelled: true });
    expect(connection).toBe("eof");
    expect(end).toEqual({ code: 0, signal: null });
  },
);

test.skipIf(why !== null)(name("a legacy record that cannot be looked up names the interface it needs"), async () => {
  const hook = await startHeldHook();
  hook.world.write("tama-home/in-flight/old.json", JSON.stringify({ pid: hook.core.pid, hook: "old-hook" }));
  const inspected = await tama(hook.world, ["hooks", "running", "--json"], { under: hidden.under });
  await hook.cleanUp();

  expect(inspected.code).toBe(1);
  const { hooks, errors } = JSON.parse(inspected.stdout);
  expect(hooks).toMatchObject([{ hook: "held-hook", ownershipState: "owned" }]);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain("ps -A -o pid=,ppid=,pgid=,lstart=,command= failed: exit 1");
  expect(errors[0]).toContain("old.json");
});
