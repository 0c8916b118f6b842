import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { end, unavailable } from "../clients/agent-rig.ts";
import { openClaudeRig } from "../clients/claude-rig.ts";
import { inOrder, type Turn } from "../clients/scripted-anthropic.ts";
import { declareHook } from "../journeys/tama-command.ts";
import { until } from "../journeys/until.ts";
import { chance, patience, scaled, verdict } from "./fault-run.ts";

// The host is killed with -9 at a random moment of a turn: before, while and after a hook runs that ignores SIGTERM and starts a process that
// leaves its group and session. Nothing of it may live on, and every record must be readable.

const touch: Turn = { tools: [{ name: "Bash", input: { command: "touch ran", description: "Touch a file" } }] };

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "killed with -9 at any moment of a turn leaves no process and no unreadable record",
    async () => {
      const { whole } = chance("Claude Code killed");
      const count = scaled(40);
      const found = { "with the hook seen": 0, "in-flight records left": 0 };
      for (let round = 0; round < count; round++) {
        const rig = await openClaudeRig({ script: inOrder(touch, { text: "never" }) });
        const { world } = rig;
        try {
          const body = `trap '' TERM; cat >/dev/null; setsid sh -c 'trap "" TERM; while :; do sleep 1; done' "${world.root}" & touch "${world.root}/seen"; while :; do sleep 1; done`;
          await declareHook(world, { id: "stubborn", command: [world.script("stubborn", body)] });
          const claude = rig.start("touch it");
          await Bun.sleep(whole(2000));
          end(claude.pid);
          await claude.ended;
          await until("no process of this world", () => rig.processes().length === 0);
          if (existsSync(join(world.root, "seen"))) found["with the hook seen"]++;
          found["in-flight records left"] += readdirSync(join(world.home, "in-flight")).length;
          expect(unreadable(world.home)).toEqual([]);
          expect(existsSync(join(rig.work, "ran"))).toBe(false);
        } finally {
          await rig.close();
        }
      }
      verdict(11, count, "kill -9 of Claude Code at a random 0–2 s", {
        ...found,
        "living processes": 0,
        "unreadable records": 0,
      });
      expect(found["in-flight records left"]).toBe(0);
    },
    patience,
  );
});

function unreadable(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .map((name) => join(home, name))
    .filter((path) => /\.jsonl?$/.test(path) && statSync(path).isFile())
    .filter((path) => {
      const text = readFileSync(path, "utf8");
      const parts = path.endsWith(".json") ? [text] : text.split("\n").filter((line) => line !== "");
      return !parts.every(decodes);
    });
}

function decodes(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
