import { expect, test } from "bun:test";
import { runs } from "../journeys/process-table.ts";
import { claudeCode } from "./asked-agents.ts";
import { brokenSurroundings } from "./broken-surroundings.ts";
import { ask } from "./claude-code-command.ts";
import { chance, patience, scaled, verdict } from "./fault-run.ts";

// Fault 11: under Claude Code a refusal is exit 2 with the deny JSON, never exit 1, never an empty exit 0.

const full = 100;
const { whole } = chance("fault 11, SIGTERM to the group");

brokenSurroundings(claudeCode, ({ installed, forget, nothingLeft }) => {
  test(
    "SIGTERM comes to the whole group at any moment, as Claude Code sends it",
    async () => {
      const count = scaled(full);
      const ends = { "refused in words": 0, "dead by the signal, which onFailure refuses": 0 };
      expect(installed().entry).toMatchObject({ onFailure: "block" });
      for (let round = 0; round < count; round++) {
        const delay = whole(120);
        const ended = await ask(installed(), {
          meanwhile: async (pid) => {
            await Bun.sleep(delay);
            if (runs(pid)) process.kill(-pid, "SIGTERM");
          },
        });
        await nothingLeft();
        forget();
        expect([ended.code, ended.signal]).not.toEqual([0, null]);
        expect(ended.code).not.toBe(1);
        if (ended.stdout === "") ends["dead by the signal, which onFailure refuses"]++;
        else {
          expect(JSON.parse(ended.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
          ends["refused in words"]++;
        }
      }
      verdict(11, count, "SIGTERM to the group at a random 0–120 ms", ends);
    },
    patience,
  );
});
