import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { limit, limitMs, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type GeminiRig, openGeminiRig } from "../../clients/gemini-rig.ts";
import { heldHook } from "../../clients/held-hook.ts";
import { inOrder, shell, toldOutputs } from "../../clients/scripted-gemini.ts";
import { declareHook } from "../tama-command.ts";
import { until } from "../until.ts";

let rig: GeminiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** Gemini's own clock, in milliseconds, past which it lets the tool run. */
const hostsClock = 60_000;

describe.skipIf(unavailable !== null)(`Gemini CLI${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a hook that needs longer than Gemini's usual clock is waited for, and its refusal counts",
    async () => {
      rig = await openGeminiRig({ script: inOrder(shell("touch ran"), { text: "I stop" }) });
      const { script, hook } = heldHook(rig.world.root, "slow");
      await declareHook(rig.world, { id: "slow", command: [rig.world.script("slow", script)] });
      const gemini = rig.start("touch it");
      await until("the hook is asked", () => hook.asked().length === 1);
      const since = performance.now();
      await until("the clock is over", () => performance.now() - since > hostsClock + 2_000, hostsClock * 2);
      hook.answer("not after all this time");
      succeeded(await gemini.ended);
      expect(toldOutputs(rig.model)[0]).toBe("Tool execution blocked: not after all this time");
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
    },
    { ...limit, timeout: limitMs + 2 * hostsClock },
  );
});
