import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { hasTerminal, keepScreen, openClaudeWindow } from "../../clients/claude-window.ts";
import type { TerminalWindow } from "../../clients/omp-window.ts";
import { inOrder, type Turn, toldResults } from "../../clients/scripted-anthropic.ts";
import { runs } from "../process-table.ts";
import { declareHook } from "../tama-command.ts";
import { until } from "../until.ts";
import { loggedBy } from "./session-log.ts";
import { tellTimeToEnd } from "./time-to-end.ts";

let rig: ClaudeRig | null = null;
let window: TerminalWindow | null = null;
afterEach(async () => {
  await window?.close();
  await rig?.close();
  window = null;
  rig = null;
});

const bash = (command: string): Turn => ({ tools: [{ name: "Bash", input: { command, description: "Do it" } }] });
const why = unavailable ?? (hasTerminal ? null : "no tmux is here");

describe.skipIf(why !== null)(`Claude Code in a terminal${why === null ? "" : ` (skipped: ${why})`}`, () => {
  test(
    "a refused call is shown to the person with the gate's reason, and the turn goes on",
    async () => {
      rig = await openClaudeRig({ script: inOrder(bash("touch forbidden"), { text: "I leave it" }) });
      const guard = rig.world.script("guard", `cat >/dev/null; echo 'the owner of this folder said no' >&2; exit 2`);
      await declareHook(rig.world, { id: "guard", command: [guard] });
      window = await openClaudeWindow(rig);
      await window.type("touch the file");
      await window.until("I leave it");
      await window.until("the owner of this folder said no");
      const shown = await keepScreen(window, "a refused call");
      expect(shown).toContain("the owner of this folder said no");
      expect(existsSync(join(rig.work, "forbidden"))).toBe(false);
    },
    limit,
  );

  test(
    "Esc while a hook runs ends it and all it started, and the call does not run",
    async () => {
      rig = await openClaudeRig({ script: inOrder(bash("touch ran"), { text: "never" }) });
      const { world } = rig;
      const slow = world.script(
        "slow",
        `trap '' TERM; cat >/dev/null; setsid sleep 1000 & echo "$! $$" > "${world.root}/pids"; while :; do sleep 1; done`,
      );
      await declareHook(world, { id: "slow", command: [slow] });
      window = await openClaudeWindow(rig);
      await window.type("touch the file");
      const file = join(world.root, "pids");
      const pids = await until("the hook and what it started", () =>
        existsSync(file) && readFileSync(file, "utf8").endsWith("\n")
          ? readFileSync(file, "utf8").trim().split(" ").map(Number)
          : null,
      );
      expect(pids.every(runs)).toBe(true);
      await keepScreen(window, "a hook that runs");
      await window.press("Escape");
      const from = performance.now();
      await until("the end of the hook", () => !pids.some(runs));
      tellTimeToEnd(from);
      await window.until(/[Ii]nterrupted/);
      await keepScreen(window, "a hook ended by Esc");
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
    },
    limit,
  );

  test(
    "settings that would switch the hooks off are refused, and the next call is still judged",
    async () => {
      const off = `echo '{"disableAllHooks":true}' > .claude/settings.local.json`;
      const opened = await openClaudeRig({
        script: inOrder(bash(off), { text: "switched" }, bash("touch forbidden"), { text: "I leave it" }),
      });
      rig = opened;
      const guard = opened.world.script("guard", `case "$(cat)" in *forbidden*) echo 'no' >&2; exit 2;; esac`);
      await declareHook(opened.world, { id: "guard", command: [guard] });
      mkdirSync(join(opened.work, ".claude"));
      window = await openClaudeWindow(opened);
      await window.type("switch them off");
      await window.until("switched");
      await until("the refused change", () => loggedBy(opened).some(({ event }) => event === "config_change"));
      await window.type("touch the file");
      await window.until("I leave it");
      await keepScreen(window, "a refused change of the settings");
      expect(toldResults(opened.model).at(-1)?.text).toBe("PreToolUse:Bash hook error: no");
    },
    limit,
  );
});
