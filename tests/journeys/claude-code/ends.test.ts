import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { end, limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { inOrder, type Turn, toldResults } from "../../clients/scripted-anthropic.ts";
import { decodedRecords } from "../decoded-records.ts";
import { commandOf, runs, type SeenProcess } from "../process-table.ts";
import { declareStubborn } from "../stubborn-hook.ts";
import { until } from "../until.ts";
import { tellTimeToEnd } from "./time-to-end.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const touch: Turn = { tools: [{ name: "Bash", input: { command: "touch ran", description: "Touch a file" } }] };

function oneShotOf({ processes }: ClaudeRig): SeenProcess | undefined {
  return processes().find(({ pid }) => /^\S*tama run-hook claude-code$/.test(commandOf(pid)));
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "killed with -9 in the middle of a hook it leaves no process and no unreadable record",
    async () => {
      rig = await openClaudeRig({ script: inOrder(touch) });
      const { world, processes } = rig;
      const stubborn = await declareStubborn(rig.world);
      const claude = rig.start("touch it");
      await until("both processes of the hook", () => stubborn().length === 2);
      expect(stubborn().every(runs)).toBe(true);
      end(claude.pid);
      await claude.ended;
      await until("no process of this world", () => processes().length === 0);
      expect(stubborn().some(runs)).toBe(false);
      expect(readdirSync(join(world.home, "in-flight"))).toEqual([]);
      expect(decodedRecords(world.home).length).toBeGreaterThan(0);
      const running = JSON.parse(succeeded(await rig.tama("hooks", "running", "--json")).stdout);
      expect(running).toEqual({ hooks: [], errors: [] });
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
    },
    limit,
  );

  test(
    "ended with SIGTERM in the middle of a hook it leaves nothing either",
    async () => {
      rig = await openClaudeRig({ script: inOrder(touch) });
      const { processes } = rig;
      const stubborn = await declareStubborn(rig.world);
      const claude = rig.start("touch it");
      await until("both processes of the hook", () => stubborn().length === 2);
      process.kill(claude.pid, "SIGTERM");
      await claude.ended;
      await until("no process of this world", () => processes().length === 0);
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
    },
    limit,
  );

  test(
    "SIGTERM to Tama itself ends the hook and refuses the call",
    async () => {
      rig = await openClaudeRig({ script: inOrder(touch, { text: "I cannot go on" }) });
      const stubborn = await declareStubborn(rig.world);
      const claude = rig.start("touch it");
      await until("both processes of the hook", () => stubborn().length === 2);
      const oneShot = oneShotOf(rig);
      if (oneShot === undefined) throw new Error("no `tama run-hook claude-code` is running");
      process.kill(oneShot.pid, "SIGTERM");
      const from = performance.now();
      await until("the end of Tama's process", () => !runs(oneShot.pid));
      tellTimeToEnd(from);
      expect(stubborn().some(runs)).toBe(false);
      expect(await claude.ended).toMatchObject({ code: 0, stdout: "I cannot go on\n" });
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
      expect(toldResults(rig.model)[0]).toMatchObject({
        isError: true,
        text: "PreToolUse:Bash hook error: TAMA_HOOK_INFRASTRUCTURE: tama: cancelled: SIGTERM came",
      });
    },
    limit,
  );

  for (const [event, refuses] of [
    ["stop", true],
    ["session_end", false],
  ] as const) {
    test(
      `SIGTERM to Tama while a hook of ${event} runs ends it, and Claude Code goes on`,
      async () => {
        rig = await openClaudeRig({ script: () => ({ text: "an answer" }) });
        const stubborn = await declareStubborn(rig.world, [{ event }]);
        const claude = rig.start("just answer");
        await until("both processes of the hook", () => stubborn().length === 2);
        // The refused ending brings another, whose hook would wait too; what is declared no longer is not asked.
        succeeded(await rig.tama("hooks", "withdraw", "--all"));
        const oneShot = oneShotOf(rig);
        if (oneShot === undefined) throw new Error("no `tama run-hook claude-code` is running");
        process.kill(oneShot.pid, "SIGTERM");
        const from = performance.now();
        await until("the end of Tama's process", () => !runs(oneShot.pid));
        tellTimeToEnd(from);
        expect(stubborn().some(runs)).toBe(false);
        expect(await claude.ended).toMatchObject({ code: 0, stdout: "an answer\n" });
        expect(rig.model.requests.length).toBe(refuses ? 2 : 1);
        expect(readdirSync(join(rig.world.home, "in-flight"))).toEqual([]);
      },
      limit,
    );
  }
});
