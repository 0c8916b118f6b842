import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig, writeSettings } from "../../clients/claude-rig.ts";
import { inOrder, type Turn } from "../../clients/scripted-anthropic.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const touch: Turn = { tools: [{ name: "Bash", input: { command: "touch ran", description: "Touch a file" } }] };

/** A person's settings in a manner of their own: tabs, odd spaces, a key nobody knows, no newline at the end. */
function theirSettings(log: string): string {
  return `{ "zzz-own" : [1,2 ,  3],
\t"hooks":{"PreToolUse" :  [ {"matcher":"Bash","hooks":[{"type":"command","command":"echo own >> ${log}"}]} ],
\t\t"Notification":[]
\t},

\t"env" : {  }   }`;
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "installing twice changes nothing the second time, both hooks run, and uninstalling gives back the very bytes",
    async () => {
      rig = await openClaudeRig({ script: inOrder(touch, { text: "finished" }), install: false });
      const log = join(rig.world.root, "own-log");
      const theirs = theirSettings(log);
      writeSettings(rig, theirs);
      chmodSync(rig.settings, 0o640);
      const plan = succeeded(await rig.tama("install", "claude-code", "--plan")).stdout;
      expect(plan).toContain(rig.settings);
      expect(readFileSync(rig.settings, "utf8")).toBe(theirs);
      succeeded(await rig.tama("install", "claude-code"));
      const once = readFileSync(rig.settings, "utf8");
      expect(once).not.toBe(theirs);
      // What the person wrote stands there as it stood.
      for (const line of theirs.split("\n").slice(0, 2)) expect(once).toContain(line.replace(/ \],$/, ""));
      succeeded(await rig.tama("install", "claude-code"));
      expect(readFileSync(rig.settings, "utf8")).toBe(once);
      expect(succeeded(await rig.start("touch it").ended).stdout).toBe("finished\n");
      expect(readFileSync(log, "utf8")).toBe("own\n");
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
      const [session] = [...new Bun.Glob("*.jsonl").scanSync(join(rig.world.home, "log"))];
      const heard = readFileSync(join(rig.world.home, "log", session ?? ""), "utf8")
        .trimEnd()
        .split("\n");
      expect(heard.map((line) => JSON.parse(line).event)).toEqual([
        "session_start",
        "input",
        "tool_call",
        "tool_result",
        "stop",
        "session_end",
      ]);
      succeeded(await rig.tama("uninstall", "claude-code"));
      expect(readFileSync(rig.settings, "utf8")).toBe(theirs);
      expect(statSync(rig.settings).mode & 0o777).toBe(0o640);
      succeeded(await rig.tama("uninstall", "claude-code"));
      expect(readFileSync(rig.settings, "utf8")).toBe(theirs);
    },
    limit,
  );

  test(
    "a file that was not there is gone again; one changed since loses only Tama's entries",
    async () => {
      rig = await openClaudeRig({ script: inOrder() });
      expect(existsSync(rig.settings)).toBe(true);
      succeeded(await rig.tama("uninstall", "claude-code"));
      expect(existsSync(rig.settings)).toBe(false);
      writeSettings(rig, '{\n    "model": "opus"\n}\n');
      succeeded(await rig.tama("install", "claude-code"));
      writeSettings(rig, readFileSync(rig.settings, "utf8").replace("opus", "sonnet"));
      succeeded(await rig.tama("uninstall", "claude-code"));
      expect(readFileSync(rig.settings, "utf8")).toBe('{\n    "model": "sonnet"\n}\n');
    },
    limit,
  );

  test(
    "a linked settings file stays a link, CLAUDE_CONFIG_DIR is followed, a file that is no JSON is left alone",
    async () => {
      rig = await openClaudeRig({ script: inOrder(), install: false });
      const dotfiles = join(rig.world.root, "dotfiles");
      mkdirSync(dotfiles);
      writeSettings(rig, "{}");
      renameSync(rig.settings, join(dotfiles, "settings.json"));
      symlinkSync("../dotfiles/settings.json", rig.settings);
      succeeded(await rig.tama("install", "claude-code"));
      expect(lstatSync(rig.settings).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(dotfiles, "settings.json"), "utf8")).toContain("run-hook claude-code");
      succeeded(await rig.tama("uninstall", "claude-code"));
      expect(readFileSync(join(dotfiles, "settings.json"), "utf8")).toBe("{}");
      expect(lstatSync(rig.settings).isSymbolicLink()).toBe(true);

      writeSettings(rig, '{"model":"opus",}');
      for (const verb of ["install", "uninstall"]) {
        const refused = await rig.tama(verb, "claude-code");
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(`${rig.settings} is no JSON: `);
      }
      expect(readFileSync(rig.settings, "utf8")).toBe('{"model":"opus",}');
    },
    limit,
  );

  test(
    "the command line it installs is not taken over by what takes over programs that Bun compiled",
    async () => {
      rig = await openClaudeRig({ script: inOrder() });
      const { hooks } = JSON.parse(readFileSync(rig.settings, "utf8"));
      const { command } = hooks.PreToolUse.at(-1).hooks[0];
      for (const takeover of [{ BUN_BE_BUN: "1" }, { BUN_OPTIONS: "--no-such-flag --preload ./nothing.ts" }]) {
        const child = Bun.spawn(["/bin/sh", "-c", command], {
          cwd: rig.work,
          env: { ...rig.world.environment, ...takeover },
          stdin: new Blob(['{"hook_event_name":"PreToolUse"}']),
          stdout: "pipe",
          stderr: "pipe",
        });
        const said = JSON.parse(await child.stdout.text());
        expect(await child.exited).toBe(2);
        expect(said.hookSpecificOutput.permissionDecisionReason).toContain("stdin.session_id: missing");
      }
    },
    limit,
  );
});
