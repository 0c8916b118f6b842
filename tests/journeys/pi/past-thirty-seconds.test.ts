import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { limit, limitMs, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { heldHook } from "../../clients/held-hook.ts";
import { openPiRig, type PiRig, shell, toldOutputs } from "../../clients/pi-rig.ts";
import { inOrder } from "../../clients/scripted-openai.ts";
import { declareHook } from "../tama-command.ts";
import { until } from "../until.ts";

let rig: PiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** The clock that OMP, which comes from pi, has over a handler; pi has none. Milliseconds. */
const ompsClock = 30_000;

describe.skipIf(unavailable !== null)(`pi${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a call waits as long as its hook needs, and the refusal counts",
    async () => {
      rig = await openPiRig({ script: inOrder(shell("touch ran"), { text: "I stop" }) });
      const { script, hook } = heldHook(rig.world.root, "slow");
      await declareHook(rig.world, { id: "slow", command: [rig.world.script("slow", script)] });
      const pi = rig.start("touch it");
      await until("the hook is asked", () => hook.asked().length === 1);
      const since = performance.now();
      await until("the clock is over", () => performance.now() - since > ompsClock + 2_000, ompsClock * 2);
      hook.answer("not after all this time");
      succeeded(await pi.ended);
      expect(toldOutputs(rig.model)[0]).toBe("not after all this time");
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
    },
    { ...limit, timeout: limitMs + 2 * ompsClock },
  );
});
