import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { limit, limitMs, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig, writeSettings } from "../../clients/claude-rig.ts";
import { inOrder, type Turn } from "../../clients/scripted-anthropic.ts";
import { until } from "../until.ts";

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

  test(
    "doctor finds the calls of a session that left the hooks out, and takes a fork's copied calls for none of its own",
    async () => {
      const bash = (command: string): Turn => ({ tools: [{ name: "Bash", input: { command, description: "Do it" } }] });
      const opened = await openClaudeRig({
        script: inOrder(bash("touch one"), { text: "one" }, { text: "two" }, bash("touch three"), { text: "three" }),
      });
      rig = opened;
      await opened.start("first").ended;
      const transcripts = (): string[] => [
        ...new Bun.Glob("*/*.jsonl").scanSync(join(opened.world.root, ".claude/projects")),
      ];
      const session = basename(transcripts()[0] ?? "", ".jsonl");
      const over = performance.now();
      await until("the first call is older than a file is late", () => performance.now() - over > 2_000);
      await opened.start("second", ["--resume", session, "--fork-session"]).ended;
      expect(transcripts().length).toBe(2);
      expect((await doctor(opened)).problems).toEqual([]);
      await opened.start("third", ["--setting-sources", "project"]).ended;
      expect(existsSync(join(opened.work, "three"))).toBe(true);
      const problems = (await doctor(opened)).problems.map(({ what }) => what);
      expect(problems).toEqual([
        expect.stringMatching(/^claude-code ran calls Tama never saw in session .*: 1 of bash \(/),
      ]);
    },
    { ...limit, timeout: 2 * limitMs },
  );
});
