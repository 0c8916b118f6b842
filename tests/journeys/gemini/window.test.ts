import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { limit, unavailable } from "../../clients/agent-rig.ts";
import { type GeminiRig, openGeminiRig } from "../../clients/gemini-rig.ts";
import { openGeminiWindow } from "../../clients/gemini-window.ts";
import { heldHook } from "../../clients/held-hook.ts";
import { hasTerminal, type TerminalWindow } from "../../clients/omp-window.ts";
import { inOrder, shell, toldOutputs } from "../../clients/scripted-gemini.ts";
import { runs } from "../process-table.ts";
import { declareStubborn } from "../stubborn-hook.ts";
import { declareHook } from "../tama-command.ts";
import { until } from "../until.ts";

let rig: GeminiRig | null = null;
let window: TerminalWindow | null = null;
afterEach(async () => {
  await window?.close();
  await rig?.close();
  window = null;
  rig = null;
});

const why = unavailable ?? (hasTerminal ? null : "no tmux is here");

describe.skipIf(why !== null)(`Gemini CLI in a terminal${why === null ? "" : ` (skipped: ${why})`}`, () => {
  test(
    "a refused call does not run and the turn goes on; the model alone is told why, since Gemini shows nothing of such a call",
    async () => {
      rig = await openGeminiRig({ script: inOrder(shell("touch ran"), { text: "I leave it" }) });
      const guard = rig.world.script("guard", `cat >/dev/null; echo 'the owner of this folder said no' >&2; exit 2`);
      await declareHook(rig.world, { id: "guard", command: [guard] });
      window = await openGeminiWindow(rig);
      await window.type("touch the file");
      await window.until("I leave it");
      expect(await window.keep("1 a refused call")).not.toContain("the owner of this folder said no");
      expect(toldOutputs(rig.model)[0]).toContain("the owner of this folder said no");
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
    },
    limit,
  );

  test(
    "Esc while a hook decides gives the call up, whatever the hook says later: Gemini tells its hooks nothing of it",
    async () => {
      const opened = await openGeminiRig({ script: inOrder(shell("touch ran"), { text: "as you say" }) });
      rig = opened;
      const { script, hook } = heldHook(opened.world.root, "slow");
      await declareHook(opened.world, { id: "slow", command: [opened.world.script("slow", script)] });
      window = await openGeminiWindow(opened);
      await window.type("touch the file");
      await until("the call", () => hook.asked().length === 1);
      await window.press("Escape");
      await window.until("Request cancelled");
      await window.keep("2 given up");
      hook.always("pass");
      await window.type("rather not");
      await window.until("as you say");
      await window.keep("3 the next message");
      expect(existsSync(join(opened.work, "ran"))).toBe(false);
    },
    limit,
  );

  test(
    "a hook that never answers ends with Gemini, with all it started",
    async () => {
      const opened = await openGeminiRig({ script: inOrder(shell("touch ran"), { text: "never" }) });
      rig = opened;
      const stubborn = await declareStubborn(opened.world);
      const shown = await openGeminiWindow(opened);
      window = shown;
      await shown.type("touch the file");
      await until("both processes of the hook", () => stubborn().length === 2 && stubborn().every(runs));
      await shown.press("Escape");
      await shown.until("Request cancelled");
      await shown.close();
      window = null;
      await until("the end of the hook", () => !stubborn().some(runs));
      expect(existsSync(join(opened.work, "ran"))).toBe(false);
    },
    limit,
  );
});
