import { expect, test } from "bun:test";
import { end } from "../clients/agent-rig.ts";
import { commandOf, processesWith } from "../journeys/process-table.ts";
import { tama } from "../journeys/tama-command.ts";
import { codex, gemini } from "./asked-agents.ts";
import { brokenSurroundings } from "./broken-surroundings.ts";
import { patience, scaled, verdict } from "./fault-run.ts";

// Fault 11b: the same for Codex and Gemini CLI, each in its own closed form.

const full = 100;

for (const agent of [codex, gemini])
  brokenSurroundings(agent, ({ installed, waits, forget, nothingLeft }) => {
    test(
      "Tama itself is killed with -9 in the middle, and the shell line it was started by refuses",
      async () => {
        const count = scaled(full);
        for (let round = 0; round < count; round++) {
          const ended = await agent.ask(installed(), {
            meanwhile: async () => {
              await waits();
              const own = processesWith(installed().world.root).find(({ pid }) =>
                new RegExp(`^\\S*tama run-hook ${agent.harness}`).test(commandOf(pid)),
              );
              end(own?.pid ?? 0);
            },
          });
          await nothingLeft();
          forget();
          expect([ended.code, ended.stdout]).toEqual([2, ""]);
          expect(ended.stderr).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: ");
          expect(ended.stderr).toContain(" gave no answer; tama doctor says why");
        }
        // What a killed process could not take with it goes with the next inspection, or the person's next message.
        await tama(installed().world, ["hooks", "running"]);
        verdict(11, count, `${agent.harness}: kill -9 of Tama in the middle`, { "refused by the line": count });
      },
      patience,
    );
  });
