import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { limit, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig, writeSettings } from "../../clients/claude-rig.ts";
import { inOrder } from "../../clients/scripted-anthropic.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

interface Examined {
  readonly harness: string;
  readonly installed: boolean;
  readonly canaryRefused: boolean | null;
  readonly problems: readonly { readonly what: string; readonly wayOut: string }[];
  readonly notes: readonly string[];
}

/** What `tama doctor` says of Claude Code. */
async function doctor(opened: ClaudeRig): Promise<Examined> {
  const { harnesses } = JSON.parse((await opened.tama("doctor", "--json")).stdout);
  const found = harnesses.find(({ harness }: Examined) => harness === "claude-code");
  if (found === undefined) throw new Error("doctor does not speak of Claude Code");
  return found;
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "doctor sees the canary refused, and says how the limit of refused endings is lifted",
    async () => {
      const opened = await openClaudeRig({ script: inOrder() });
      rig = opened;
      const first = await doctor(opened);
      expect(first).toMatchObject({ installed: true, canaryRefused: true, problems: [] });
      expect(first.notes.join("\n")).toContain("after 8 refused endings in a row");
      expect(first.notes.join("\n")).toContain("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP");
      const settings = JSON.parse(readFileSync(opened.settings, "utf8"));
      writeSettings(opened, JSON.stringify({ ...settings, env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "0" } }));
      expect((await doctor(opened)).notes.join("\n")).toContain("never ends a turn that is refused");
    },
    limit,
  );

  test(
    "doctor finds an event that is not asked about, and hooks that are switched off",
    async () => {
      const opened = await openClaudeRig({ script: inOrder() });
      rig = opened;
      const whole = readFileSync(opened.settings, "utf8");
      const settings = JSON.parse(whole);
      delete settings.hooks.ConfigChange;
      writeSettings(opened, JSON.stringify(settings));
      const [stale] = (await doctor(opened)).problems;
      expect(stale?.wayOut).toContain("tama install");
      writeSettings(opened, JSON.stringify({ ...JSON.parse(whole), disableAllHooks: true }));
      expect((await doctor(opened)).problems.map(({ what }) => what).join("\n")).toContain('"disableAllHooks": true');
    },
    limit,
  );
});
