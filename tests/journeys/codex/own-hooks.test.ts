import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type CodexRig, openCodexRig } from "../../clients/codex-rig.ts";
import { inOrder, shell, toldOutputs } from "../../clients/scripted-responses.ts";
import { declareHook } from "../tama-command.ts";

let rig: CodexRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

describe.skipIf(unavailable !== null)(`Codex${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a person's own hook denies a call, in Tama's contract and in Claude Code's",
    async () => {
      rig = await openCodexRig({ script: inOrder(shell("touch one"), shell("touch two"), { text: "I stop" }) });
      const { world } = rig;
      const denies = world.script("denies", 'case "$(cat)" in *"touch one"*) echo "no ones here" >&2; exit 2 ;; esac');
      const answer = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no twos" };
      const theirs = world.script(
        "theirs",
        `case "$(cat)" in *'"tool_name":"Bash"'*"touch two"*) echo '${JSON.stringify({ hookSpecificOutput: answer })}' ;; esac`,
      );
      await declareHook(world, { id: "no-ones", command: [denies] });
      await declareHook(world, { id: "no-twos", command: [theirs], contract: "claude-code" });
      succeeded(await rig.start("touch them").ended);
      const [one, two] = toldOutputs(rig.model);
      expect(one).toStartWith("Command blocked by PreToolUse hook: no ones here");
      expect(two).toStartWith("Command blocked by PreToolUse hook: no twos");
      expect(["one", "two"].some((name) => existsSync(join(rig?.work ?? "", name)))).toBe(false);
    },
    limit,
  );

  test(
    "a hook holds the end of a turn once, and the model reads its reason; what is passed may carry words for the model",
    async () => {
      rig = await openCodexRig({ script: inOrder({ text: "done, I think" }, { text: "checked, and done" }) });
      const { world } = rig;
      const holds = world.script("holds", 'case "$(cat)" in *"I think"*) echo "check it first" >&2; exit 2 ;; esac');
      await declareHook(world, { id: "no-guess", command: [holds], on: [{ event: "stop" }] });
      const says = world.script("says", `cat >/dev/null; echo '{"context":"the person prefers tea"}'`);
      await declareHook(world, { id: "tea", command: [says], on: [{ event: "input" }] });
      const out = succeeded(await rig.start("finish").ended).stdout;
      expect(rig.model.requests[0]?.text).toContain("the person prefers tea");
      expect(rig.model.requests[1]?.text).toContain("check it first");
      expect(out).toContain("checked, and done");
      const [log] = [...new Bun.Glob("*.jsonl").scanSync(join(world.home, "log"))];
      const events = readFileSync(join(world.home, "log", log ?? ""), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).event);
      expect(events).toEqual(["session_start", "input", "stop", "stop", "session_end"]);
    },
    limit,
  );

  test(
    "a hook that refuses every ending cannot keep a turn going, though Codex itself would never stop it",
    async () => {
      rig = await openCodexRig({ script: (_request, number) => ({ text: `answer ${number}` }) });
      const never = rig.world.script("never", 'cat >/dev/null; echo "never good enough" >&2; exit 2');
      await declareHook(rig.world, { id: "never", command: [never], on: [{ event: "stop" }] });
      succeeded(await rig.start("finish").ended);
      expect(rig.model.requests.length).toBeGreaterThan(1);
      expect(rig.model.requests.length).toBeLessThan(10);
    },
    limit,
  );

  test(
    "a refused prompt never reaches the model",
    async () => {
      rig = await openCodexRig({ script: inOrder({ text: "hello" }) });
      const denies = rig.world.script("denies", 'cat >/dev/null; echo "not today" >&2; exit 2');
      await declareHook(rig.world, { id: "not-today", command: [denies], on: [{ event: "input" }] });
      await rig.start("hello").ended;
      expect(rig.model.requests).toEqual([]);
    },
    limit,
  );
});
