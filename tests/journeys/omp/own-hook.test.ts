import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { decidedEvents, limit, type OmpRig, openOmpRig, unavailable } from "../../clients/omp-rig.ts";
import { inOrder, lastToolAnswer } from "../../clients/scripted-openai.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a person's own hook denies a call with its reason, sees where the call stands, and lets another pass",
    async () => {
      const run = (command: string) => ({ tools: [{ name: "bash", args: { command, i: "Working" } }] });
      rig = await openOmpRig(inOrder(run("touch forbidden"), run("touch allowed"), { text: "finished" }));
      await rig.declare(
        "owner-decides",
        `event=$(cat)\nprintf '%s\\n' "$event" >> "$TAMA_HOME/../seen"\ncase "$event" in *forbidden*) echo 'the owner of this folder said no' >&2; exit 2;; esac\n`,
      );
      const ended = await rig.start("touch both").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "finished\n" });
      const answers = rig.model.requests.slice(1).map(lastToolAnswer);
      expect(answers[0]).toContain("the owner of this folder said no");
      expect(existsSync(join(rig.work, "forbidden"))).toBe(false);
      expect(existsSync(join(rig.work, "allowed"))).toBe(true);
      const [event] = (await Bun.file(join(rig.tamaHome, "../seen")).text())
        .split("\n")
        .map((line) => (line === "" ? null : JSON.parse(line)));
      expect(event).toMatchObject({
        event: "tool_call",
        tool: "bash",
        input: { command: "touch forbidden" },
        purpose: "Working",
        cwd: rig.work,
        agent: "main",
        window: false,
      });
      expect(event.transcript).toContain(event.session);
    },
    limit,
  );

  test(
    "a person's own hook refuses an ending, the model goes on with its reason, and that is no message of the person",
    async () => {
      rig = await openOmpRig(inOrder({ text: "half of it" }, { text: "all of it" }));
      const script = `case "$(cat)" in *"half of it"*) echo 'do the other half too' >&2; exit 2;; esac\n`;
      await rig.declare("whole-work", script, { event: "stop" });
      const ended = await rig.start("do all of it, please").ended;
      expect(ended).toMatchObject({ code: 0, stdout: "all of it\n" });
      expect(rig.model.requests.length).toBe(2);
      expect(rig.model.requests[1]?.messages.at(-1)?.text).toContain("do the other half too");
      expect(decidedEvents(rig)).toEqual(["session_start", "input", "stop", "stop", "session_end"]);
    },
    limit,
  );
});
