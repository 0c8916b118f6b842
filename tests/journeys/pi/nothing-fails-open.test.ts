import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { end, limit, unavailable } from "../../clients/agent-rig.ts";
import { openPiRig, type PiRig, shell, toldOutputs } from "../../clients/pi-rig.ts";
import { inOrder } from "../../clients/scripted-openai.ts";
import { nothingFailsOpenIn } from "../agents/nothing-fails-open.ts";
import { pi } from "../agents/pi.ts";
import { commandOf } from "../process-table.ts";

let rig: PiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

nothingFailsOpenIn(pi);

describe.skipIf(unavailable !== null)(`pi${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "with Tama's own binary gone the tool does not run, and a prompt reaches no model",
    async () => {
      // A link stands where the adapter looks, so that the program can be taken away while a session runs.
      const script = inOrder(shell("touch ran"), { text: "I cannot go on" });
      const opened = await openPiRig({
        script: (request) => {
          if (opened.model.requests.length === 1) {
            rmSync(join(opened.world.root, ".local/bin/tama"));
            for (const { pid } of opened.processes().filter((one) => commandOf(one.pid).includes("run-hook pi")))
              end(pid);
          }
          return script(request);
        },
        install: [],
      });
      rig = opened;
      await opened.start("touch it").ended;
      expect(existsSync(join(opened.work, "ran"))).toBe(false);
      expect(toldOutputs(opened.model)[0]).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: ");
      const asked = opened.model.requests.length;
      const second = await opened.start("again").ended;
      expect(opened.model.requests).toHaveLength(asked);
      expect(second.stderr).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: ");
    },
    limit,
  );

  test(
    "an adapter that cannot be read as a program keeps pi from starting",
    async () => {
      rig = await openPiRig({ script: inOrder({ text: "hello" }) });
      writeFileSync(rig.adapter, `${readFileSync(rig.adapter, "utf8")}\nconst = ;\n`);
      const ended = await rig.start("hello").ended;
      expect(ended.code).not.toBe(0);
      expect(rig.model.requests).toEqual([]);
    },
    limit,
  );
});
