import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { type Turn, toldResults } from "../../clients/scripted-anthropic.ts";
import { declareHook } from "../tama-command.ts";
import { loggedBy } from "./session-log.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const bash = (command: string): Turn => ({ tools: [{ name: "Bash", input: { command, description: "Do it" } }] });

/**
 * A session whose first call changes a settings file and whose last four a declared hook refuses; they are sent once the change is known to
 * have arrived, with harmless calls until then. Returns what the model was told of the four.
 */
async function afterChanging(
  change: (rig: ClaudeRig) => string,
  arrived: (rig: ClaudeRig) => boolean,
): Promise<readonly string[]> {
  let calls = 0;
  let forbidden = 0;
  const opened = await openClaudeRig({
    script: () => {
      if (++calls === 1) return bash("sh change");
      if (forbidden === 0 && calls < 100 && rig !== null && !arrived(rig)) return bash(`echo ${calls}`);
      return ++forbidden > 4 ? { text: "finished" } : bash(`touch forbidden-${forbidden}`);
    },
  });
  rig = opened;
  const guard = opened.world.script("guard", `case "$(cat)" in *forbidden*) echo 'no' >&2; exit 2;; esac`);
  await declareHook(opened.world, { id: "guard", command: [guard] });
  mkdirSync(join(opened.work, ".claude"));
  writeFileSync(join(opened.work, "change"), change(opened));
  succeeded(await opened.start("change it").ended);
  expect(arrived(opened)).toBe(true);
  return toldResults(opened.model)
    .slice(-4)
    .map(({ text }) => text);
}

const denied = Array(4).fill("PreToolUse:Bash hook error: no");

const refusedChange = (rig: ClaudeRig): boolean =>
  loggedBy(rig).some(({ event, verdict }) => event === "config_change" && verdict === "refuse");

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  const changes: readonly (readonly [string, (rig: ClaudeRig) => string, string])[] = [
    [
      "that switches all hooks off in the folder's settings",
      () => `echo '{"disableAllHooks":true}' > .claude/settings.local.json`,
      'now says "disableAllHooks": true',
    ],
    [
      "that takes Tama's entries out of the person's settings",
      ({ settings }) => `echo '{}' > ${settings}`,
      "no longer asks Tama at PreToolUse, ",
    ],
    ["that makes the person's settings unreadable", ({ settings }) => `echo '{"a":1,' > ${settings}`, "is no JSON: "],
  ];
  for (const [name, change, says] of changes) {
    test(
      `a change ${name} is refused, and the session's calls are judged on`,
      async () => {
        expect(await afterChanging(change, refusedChange)).toEqual(denied);
        const refused = rig === null ? undefined : loggedBy(rig).find(({ event }) => event === "config_change");
        expect(refused?.what).toContain(says);
        const why = await rig?.tama("why", refused?.refusal ?? "");
        expect(why?.stdout).toContain("tama uninstall claude-code");
      },
      limit,
    );
  }

  test(
    "a change that leaves Tama's entries passes and takes effect",
    async () => {
      const told = await afterChanging(
        ({ settings, world }) => {
          const next = JSON.parse(readFileSync(settings, "utf8"));
          const own = { type: "command", command: `cat >/dev/null; touch ${world.root}/own` };
          next.hooks.PreToolUse.unshift({ matcher: "Bash", hooks: [own] });
          world.write("next", JSON.stringify(next));
          return `cp ${world.root}/next ${settings}`;
        },
        ({ world }) => existsSync(join(world.root, "own")),
      );
      expect(told).toEqual(denied);
    },
    limit,
  );
});
