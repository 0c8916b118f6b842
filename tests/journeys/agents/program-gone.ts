import { expect, test } from "bun:test";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { limit } from "../../clients/agent-rig.ts";
import { inTurn, type StoryAgent, storiesOf } from "./story-agent.ts";

/** An agent that starts Tama by a guarded line at each event: the line speaks where the program does not. */
export function programGoneIn(agent: StoryAgent): void {
  storiesOf(agent, ({ open, current }) => {
    test(
      "with Tama's own binary gone, or killed, the registered line itself refuses the tool and the prompt, and lets a turn end",
      async () => {
        // A link stands where the harness looks, so that the program can be taken away under an unchanged, trusted line.
        const link = (): string => join(current()?.world.root ?? "", ".local/bin/tama");
        const model = inTurn({ shell: "touch ran" }, { text: "I cannot go on" });
        const rig = await open({
          model: (number) => {
            if (number === 0) rmSync(link());
            return model(number);
          },
          withProgram: true,
        });
        const first = await rig.start("touch it").ended;
        expect(first.code).toBe(0);
        expect(existsSync(join(rig.work, "ran"))).toBe(false);
        expect(rig.told()[0]).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: ");
        expect(rig.requests()).toHaveLength(2);
        await rig.start("again").ended;
        expect(rig.requests()).toHaveLength(2);
        symlinkSync(rig.world.script("dies", "kill -9 $$"), link());
        await rig.start("again").ended;
        expect(rig.requests()).toHaveLength(2);
      },
      limit,
    );
  });
}
