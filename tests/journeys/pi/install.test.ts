import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { openPiRig, type PiRig, shell, toldOutputs } from "../../clients/pi-rig.ts";
import { inOrder } from "../../clients/scripted-openai.ts";

let rig: PiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

describe.skipIf(unavailable !== null)(`pi${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "one file is the whole installation: a plan writes nothing, a second time changes nothing, uninstalling leaves what was there",
    async () => {
      rig = await openPiRig({ script: inOrder(shell("touch ran"), { text: "finished" }), install: null });
      const agent = dirname(dirname(rig.adapter));
      const before = readdirSync(agent, { recursive: true });
      expect(succeeded(await rig.tama("install", "pi", "--plan", "--no-binary")).stdout).toContain(rig.adapter);
      expect(readdirSync(agent, { recursive: true })).toEqual(before);
      succeeded(await rig.tama("install", "pi", "--no-binary"));
      const once = readFileSync(rig.adapter, "utf8");
      succeeded(await rig.tama("install", "pi", "--no-binary"));
      expect(readFileSync(rig.adapter, "utf8")).toBe(once);
      expect((await rig.tama("doctor")).stdout).toContain("a canary call is refused through its command line");
      succeeded(await rig.tama("uninstall", "pi"));
      expect(readdirSync(agent, { recursive: true })).toEqual(before);
    },
    limit,
  );

  test(
    "a person's own extension stays and works; a tama.ts that is not Tama's is refused and left alone",
    async () => {
      rig = await openPiRig({ script: inOrder(shell("touch ran"), { text: "finished" }), install: null });
      const own = `export default (pi) => pi.on("tool_call", () => ({ block: true, reason: "not on my machine" }));\n`;
      mkdirSync(dirname(rig.adapter));
      writeFileSync(join(dirname(rig.adapter), "own.ts"), own);
      succeeded(await rig.tama("install", "pi", "--no-binary"));
      succeeded(await rig.start("touch it").ended);
      expect(toldOutputs(rig.model)[0]).toBe("not on my machine");
      succeeded(await rig.tama("uninstall", "pi"));
      expect(readFileSync(join(dirname(rig.adapter), "own.ts"), "utf8")).toBe(own);
      writeFileSync(rig.adapter, own);
      for (const words of [
        ["install", "pi", "--no-binary"],
        ["uninstall", "pi"],
      ]) {
        const refused = await rig.tama(...words);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(`${rig.adapter} is not Tama's`);
      }
      expect(readFileSync(rig.adapter, "utf8")).toBe(own);
    },
    limit,
  );

  test(
    "loaded twice, by a link beside the file, it asks once",
    async () => {
      rig = await openPiRig({ script: inOrder(shell("touch ran"), { text: "finished" }) });
      symlinkSync("tama.ts", join(dirname(rig.adapter), "again.ts"));
      succeeded(await rig.start("touch it").ended);
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
      const [log] = [...new Bun.Glob("*.jsonl").scanSync({ cwd: join(rig.world.home, "log"), absolute: true })];
      const calls = readFileSync(log ?? "", "utf8").match(/"event":"tool_call"/g);
      expect(calls).toHaveLength(1);
    },
    limit,
  );
});
