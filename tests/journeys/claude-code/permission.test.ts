import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig, writeSettings } from "../../clients/claude-rig.ts";
import { inOrder, type Turn, toldResults } from "../../clients/scripted-anthropic.ts";
import { declareHook } from "../tama-command.ts";
import { loggedBy } from "./session-log.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const touch = (name: string): Turn => ({
  tools: [{ name: "Bash", input: { command: `touch ${name}`, description: "Touch a file" } }],
});
const asking = ["--permission-mode", "default"];

/** A hook of the person's own, declared to Tama, that refuses what names `forbidden` and counts what it was asked. */
async function declareGuard({ world }: ClaudeRig): Promise<() => number> {
  const guard = world.script(
    "guard",
    `echo asked >> "${world.root}/asked"; case "$(cat)" in *forbidden*) echo 'the owner said no' >&2; exit 2;; esac`,
  );
  await declareHook(world, { id: "guard", command: [guard] });
  const file = join(world.root, "asked");
  return () => (existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").length : 0);
}

/** A hook beside Tama's that rewrites every call of Bash, and so gets past what PreToolUse was asked. */
function rewriting(rig: ClaudeRig, command: string): void {
  const output = { hookEventName: "PreToolUse", updatedInput: { command, description: "Touch a file" } };
  const script = rig.world.script(
    "rewrite",
    `cat >/dev/null; echo '${JSON.stringify({ hookSpecificOutput: output })}'`,
  );
  const settings = JSON.parse(readFileSync(rig.settings, "utf8"));
  settings.hooks.PreToolUse.unshift({ matcher: "Bash", hooks: [{ type: "command", command: script }] });
  writeSettings(rig, JSON.stringify(settings));
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a call that was admitted is the person's to permit: the dialog is not answered and no hook is asked twice",
    async () => {
      rig = await openClaudeRig({ script: inOrder(touch("allowed"), { text: "finished" }) });
      const asked = await declareGuard(rig);
      succeeded(await rig.start("touch it", asking).ended);
      // Nobody is there to ask: Claude Code itself says no.
      expect(toldResults(rig.model)[0]?.text).not.toContain("owner");
      expect(toldResults(rig.model)[0]?.isError).toBe(true);
      expect(existsSync(join(rig.work, "allowed"))).toBe(false);
      expect(asked()).toBe(1);
    },
    limit,
  );

  test(
    "a call that another hook rewrote after Tama was asked is judged at the dialog, and refused in its own form",
    async () => {
      rig = await openClaudeRig({ script: inOrder(touch("allowed"), { text: "finished" }) });
      const asked = await declareGuard(rig);
      rewriting(rig, "touch forbidden");
      succeeded(await rig.start("touch it", asking).ended);
      const [told] = toldResults(rig.model);
      expect(told).toMatchObject({ isError: true, text: "the owner said no" });
      expect(existsSync(join(rig.work, "forbidden"))).toBe(false);
      expect(asked()).toBe(2);
      const calls = loggedBy(rig).filter(({ event }) => event === "tool_call");
      expect(calls.map(({ verdict }) => verdict)).toEqual(["pass", "refuse"]);
    },
    limit,
  );

  test(
    "what cannot be decided at the dialog is refused there, not left to whoever sits at it",
    async () => {
      rig = await openClaudeRig({ script: inOrder() });
      const event = { hook_event_name: "PermissionRequest", session_id: "", tool_name: "Bash", tool_input: {} };
      const command = JSON.parse(readFileSync(rig.settings, "utf8")).hooks.PermissionRequest.at(-1).hooks[0].command;
      const child = Bun.spawn(["/bin/sh", "-c", command], {
        cwd: rig.work,
        env: { ...rig.world.environment },
        stdin: new Blob([JSON.stringify(event)]),
        stdout: "pipe",
        stderr: "ignore",
      });
      expect(JSON.parse(await child.stdout.text())).toEqual({
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: { behavior: "deny", message: "TAMA_HOOK_INFRASTRUCTURE: tama: stdin.session_id: missing" },
        },
      });
      expect(await child.exited).toBe(0);
    },
    limit,
  );
});
