import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit, unavailable } from "../../clients/agent-rig.ts";
import { heldHook } from "../../clients/held-hook.ts";
import { openPiRig, type PiRig, type PiRpc, shell } from "../../clients/pi-rig.ts";
import { inOrder } from "../../clients/scripted-openai.ts";
import { runs } from "../process-table.ts";
import { declareStubborn } from "../stubborn-hook.ts";
import { declareHook } from "../tama-command.ts";
import { until } from "../until.ts";

let rig: PiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const count = (pi: PiRpc, type: string): number => pi.reported().filter((one) => one["type"] === type).length;

/** pi takes the next prompt once a run has settled, which is after its end: what refuses an ending is asked between. */
async function prompted(pi: PiRpc, message: string): Promise<void> {
  const settled = count(pi, "agent_settled");
  pi.send({ id: message, type: "prompt", message });
  await until(`the end of ${message}`, () => count(pi, "agent_settled") > settled);
}

describe.skipIf(unavailable !== null)(`pi${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "an abort while a hook runs ends it and all it started, the call does not run, and the next prompt is taken",
    async () => {
      const opened = await openPiRig({ script: inOrder(shell("touch ran"), { text: "as you say" }) });
      rig = opened;
      const stubborn = await declareStubborn(opened.world);
      const pi = opened.rpc();
      pi.send({ id: "1", type: "prompt", message: "touch it" });
      await until("both processes of the hook", () => stubborn().length === 2);
      expect(stubborn().every(runs)).toBe(true);
      pi.send({ id: "2", type: "abort" });
      await until("the end of the hook", () => !stubborn().some(runs));
      await until("the end of the run", () => count(pi, "agent_settled") === 1);
      expect(existsSync(join(opened.work, "ran"))).toBe(false);
      await prompted(pi, "rather not");
      expect(opened.model.requests.length).toBe(2);
      expect(await pi.end()).toBe(0);
      await until("no process of Tama's", () => opened.processes().length === 0);
    },
    limit,
  );

  test(
    "what a hook restores after a compaction reaches the model, and another session has a log of its own",
    async () => {
      const answers = ["one", "two", "three", "four"].map((text) => ({ text }));
      const opened = await openPiRig({ script: inOrder(...answers) });
      rig = opened;
      const settings = join(opened.world.root, ".pi/agent/settings.json");
      writeFileSync(settings, '{"compaction":{"keepRecentTokens":1}}');
      const { script, hook } = heldHook(opened.world.root, "restore");
      const on = [{ event: "compact" }];
      await declareHook(opened.world, { id: "restore", command: [opened.world.script("restore", script)], on });
      hook.always("context remember the open work");
      const pi = opened.rpc();
      await prompted(pi, "first");
      await prompted(pi, "second");
      pi.send({ id: "c", type: "compact" });
      await until("the compaction", () => pi.reported().some((one) => one["id"] === "c" && one["success"] === true));
      await prompted(pi, "third");
      expect(JSON.stringify(opened.model.requests.at(-1))).toContain("remember the open work");
      pi.send({ id: "n", type: "new_session" });
      await until("the other session", () => pi.reported().some((one) => one["id"] === "n"));
      await prompted(pi, "fourth");
      expect(await pi.end()).toBe(0);
      const logs = [...new Bun.Glob("*.jsonl").scanSync({ cwd: join(opened.world.home, "log"), absolute: true })];
      const events = logs.map((log) =>
        readFileSync(log, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).event),
      );
      const turn = ["input", "stop"];
      expect(events.sort((one, other) => other.length - one.length)).toEqual([
        ["session_start", ...turn, ...turn, "compact", ...turn, "session_end"],
        ["session_start", ...turn, "session_end"],
      ]);
    },
    limit,
  );
});
