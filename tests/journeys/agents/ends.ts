import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { end, limit, succeeded } from "../../clients/agent-rig.ts";
import { decodedRecords } from "../decoded-records.ts";
import { commandOf, runs } from "../process-table.ts";
import { declareStubborn } from "../stubborn-hook.ts";
import { until } from "../until.ts";
import { inTurn, type StoryAgent, storiesOf } from "./story-agent.ts";

/** What is left of a session whose agent ends from one moment to the next. */
export function endsOf(agent: StoryAgent): void {
  storiesOf(agent, ({ open }) => {
    test(
      "killed with -9 in the middle of a hook it leaves no process and no unreadable record",
      async () => {
        const rig = await open({ model: inTurn({ shell: "touch ran" }) });
        const { world, processes } = rig;
        const stubborn = await declareStubborn(world);
        const started = rig.start("touch it");
        await until("both processes of the hook", () => stubborn().length === 2);
        expect(stubborn().every(runs)).toBe(true);
        const program = processes().filter(({ pid }) => agent.program.test(commandOf(pid)));
        expect(program.length).toBeGreaterThan(0);
        for (const { pid } of program) end(pid);
        await started.ended;
        await until("no process of this world", () => processes().length === 0);
        expect(stubborn().some(runs)).toBe(false);
        expect(readdirSync(join(world.home, "in-flight"))).toEqual([]);
        expect(decodedRecords(world.home).length).toBeGreaterThan(0);
        expect(JSON.parse(succeeded(await rig.tama("hooks", "running", "--json")).stdout)).toEqual({
          hooks: [],
          errors: [],
        });
        expect(existsSync(join(rig.work, "ran"))).toBe(false);
      },
      limit,
    );
  });
}
