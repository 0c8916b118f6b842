import { afterEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { inOrder, type Script, type Turn, toldResults } from "../../clients/scripted-anthropic.ts";
import type { CommandEnd } from "../tama-command.ts";
import { loggedBy } from "./session-log.ts";

const root = join(import.meta.dir, "../../..");
let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const look = (description: string): Turn => ({
  tools: [{ name: "Bash", input: { command: "cat notes.txt", description } }],
});

function twoLooks(): Script {
  return inOrder(look("Read the notes"), look("Read them once more"), { text: "finished" });
}

/** `claude plugin <words>` in the rig's world. */
async function plugin({ world, work, claude }: ClaudeRig, ...words: readonly string[]): Promise<CommandEnd> {
  const child = Bun.spawn([claude, "plugin", ...words], {
    cwd: work,
    env: { ...world.environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, signal: null, stdout, stderr };
}

/** What a clone of the project offers, in the rig's world, added as a marketplace and its plugin installed; the program is where it belongs. */
async function installPlugin(opened: ClaudeRig, program = true): Promise<string> {
  const clone = join(opened.world.root, "clone");
  for (const folder of [".claude-plugin", "plugins"])
    cpSync(join(root, folder), join(clone, folder), { recursive: true });
  succeeded(await plugin(opened, "marketplace", "add", clone));
  succeeded(await plugin(opened, "install", "tama@tama", "--scope", "user"));
  if (!program) return clone;
  mkdirSync(join(opened.world.root, ".local", "bin"), { recursive: true });
  symlinkSync(opened.binary, join(opened.world.root, ".local", "bin", "tama"));
  return clone;
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "the plugin and its marketplace pass Claude Code's own validation, without a warning",
    async () => {
      rig = await openClaudeRig({ script: inOrder(), install: false });
      for (const path of [root, join(root, "plugins", "claude-code")]) {
        const said = succeeded(await plugin(rig, "validate", "--strict", path));
        expect(said.stdout).toContain("Validation passed");
      }
    },
    limit,
  );

  test(
    "installed from the marketplace it refuses a repeated failing call, and is gone when it is uninstalled",
    async () => {
      rig = await openClaudeRig({ script: twoLooks(), install: false });
      await installPlugin(rig);
      expect(succeeded(await rig.start("read the notes").ended).stdout).toBe("finished\n");
      const [failed, held] = toldResults(rig.model);
      expect(failed?.text).toContain("cat: notes.txt: No such file or directory");
      expect(held?.text).toContain("this session's same call was failed at ");
      const events = loggedBy(rig).map(({ event }) => event);
      expect(events).toContain("session_start");
      expect(events).toContain("stop");
      succeeded(await plugin(rig, "uninstall", "tama@tama"));
      expect(readFileSync(rig.settings, "utf8")).not.toContain("tama@tama");
    },
    limit,
  );

  test(
    "beside an installation in the settings each event is judged once",
    async () => {
      rig = await openClaudeRig({ script: twoLooks() });
      await installPlugin(rig);
      expect(succeeded(await rig.start("read the notes").ended).stdout).toBe("finished\n");
      const events = loggedBy(rig).map(({ event }) => event);
      expect(events.filter((event) => event === "tool_call").length).toBe(2);
      expect(events.filter((event) => event === "stop").length).toBe(1);
      expect(toldResults(rig.model)[0]?.text).toContain("cat: notes.txt: No such file or directory");
    },
    limit,
  );

  test(
    "without the program nothing runs, and the person is told what is missing",
    async () => {
      const touch: Turn = { tools: [{ name: "Bash", input: { command: "touch ran", description: "Touch a file" } }] };
      rig = await openClaudeRig({ script: inOrder(touch, { text: "finished" }), install: false });
      await installPlugin(rig, false);
      const ended = await rig.start("touch it").ended;
      expect(ended.stdout).toContain(".local/bin/tama: put it there with 'tama install'");
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
    },
    limit,
  );
});
