import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { inOrder, type Turn, toldResults } from "../../clients/scripted-anthropic.ts";
import { declareHook } from "../tama-command.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const run = (command: string, description = "Run it"): Turn => ({
  tools: [{ name: "Bash", input: { command, description } }],
});

/** The events a hook wrote down, one JSON a line. */
function seenBy(file: string): Record<string, unknown>[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a person's own hook denies a call with its reason, sees where the call stands, and lets another pass",
    async () => {
      rig = await openClaudeRig({
        script: inOrder(run("touch forbidden"), run("touch allowed"), { text: "finished" }),
      });
      const { world } = rig;
      const guard = world.script(
        "guard",
        `event=$(cat); printf '%s\\n' "$event" >> "${world.root}/seen"
case "$event" in *forbidden*) echo 'the owner of this folder said no' >&2; exit 2;; esac`,
      );
      await declareHook(world, { id: "owner-decides", command: [guard] });
      expect(succeeded(await rig.start("touch both").ended).stdout).toBe("finished\n");
      const [denied, passed] = toldResults(rig.model);
      expect(denied).toMatchObject({
        isError: true,
        text: "PreToolUse:Bash hook error: the owner of this folder said no",
      });
      expect(passed?.isError).toBe(false);
      expect(existsSync(join(rig.work, "forbidden"))).toBe(false);
      expect(existsSync(join(rig.work, "allowed"))).toBe(true);
      const [event] = seenBy(join(world.root, "seen"));
      expect(event).toMatchObject({
        event: "tool_call",
        tool: "Bash",
        input: { command: "touch forbidden" },
        purpose: "Run it",
        call: "toolu_0_0",
        agent: "main",
        cwd: rig.work,
        tama: { hook: "owner-decides", harness: "claude-code", home: world.home },
      });
      expect(String(event?.["transcript"])).toEndWith(`${event?.["session"]}.jsonl`);
    },
    limit,
  );

  test(
    "a script written for Claude Code denies under Tama with its reason, and hears what Claude Code says",
    async () => {
      rig = await openClaudeRig({ script: inOrder(run("touch forbidden"), { text: "finished" }) });
      const { world } = rig;
      const deny = JSON.stringify({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "an older script said no",
        },
      });
      const guard = world.script("guard", `cat >> "${world.root}/seen"\necho '${deny}'`);
      await declareHook(world, { id: "older-script", command: [guard], contract: "claude-code" });
      succeeded(await rig.start("touch it").ended);
      expect(toldResults(rig.model)[0]).toMatchObject({
        isError: true,
        text: "PreToolUse:Bash hook error: an older script said no",
      });
      expect(existsSync(join(rig.work, "forbidden"))).toBe(false);
      expect(seenBy(join(world.root, "seen"))[0]).toMatchObject({
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "touch forbidden", description: "Run it" },
        tool_use_id: "toolu_0_0",
        cwd: rig.work,
      });
    },
    limit,
  );

  test(
    "a hook on results tells the model beside the result, and one on endings makes it go on with its reason",
    async () => {
      rig = await openClaudeRig({ script: inOrder(run("echo secret"), { text: "half" }, { text: "all of it" }) });
      const { world } = rig;
      const results = world.script("results", `case "$(cat)" in *secret*) echo 'that was a secret' >&2; exit 2;; esac`);
      const endings = world.script("endings", `case "$(cat)" in *half*) echo 'do the other half' >&2; exit 2;; esac`);
      await declareHook(world, { id: "results", command: [results], on: [{ event: "tool_result", tools: ["Bash"] }] });
      await declareHook(world, { id: "endings", command: [endings], on: [{ event: "stop" }] });
      expect(succeeded(await rig.start("go").ended).stdout).toBe("all of it\n");
      const told = rig.model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
      expect(told.length).toBe(3);
      expect(toldResults(rig.model)[0]).toMatchObject({ isError: false, text: "secret" });
      expect(JSON.stringify(rig.model.requests[1]?.messages)).toContain("that was a secret");
      expect(JSON.stringify(rig.model.requests[2]?.messages)).toContain("do the other half");
    },
    limit,
  );

  test(
    "a hook on prompts drops one with its reason, and what passing hooks say reaches the model",
    async () => {
      rig = await openClaudeRig({ script: inOrder({ text: "finished" }) });
      const { world } = rig;
      const prompts = world.script(
        "prompts",
        `case "$(cat)" in *private*) echo 'keep that to yourself' >&2; exit 2;; esac\necho '{"context":"a word about this folder"}'`,
      );
      const starts = world.script("starts", `cat >/dev/null; echo '{"context":"a word at the start"}'`);
      await declareHook(world, { id: "prompts", command: [prompts], on: [{ event: "input" }] });
      await declareHook(world, { id: "starts", command: [starts], on: [{ event: "session_start" }] });
      const dropped = await rig.start("something private").ended;
      expect(dropped.stdout).toContain("keep that to yourself");
      expect(rig.model.requests.length).toBe(0);
      expect(succeeded(await rig.start("something else").ended).stdout).toBe("finished\n");
      const asked = JSON.stringify(rig.model.requests[0]?.messages);
      expect(asked).toContain("a word about this folder");
      expect(asked).toContain("a word at the start");
    },
    limit,
  );

  test(
    "a compaction is heard once, its summarisers are not held, and what its hook says reaches the model",
    async () => {
      rig = await openClaudeRig({ script: () => ({ text: "a summary" }) });
      const { world } = rig;
      const says = world.script("says", `cat >/dev/null; echo '{"context":"a word after the compaction"}'`);
      const endings = world.script("endings", `case "$(cat)" in *'"agent":"sub"'*) echo 'no end' >&2; exit 2;; esac`);
      await declareHook(world, { id: "says", command: [says], on: [{ event: "compact" }] });
      await declareHook(world, { id: "endings", command: [endings], on: [{ event: "stop", agent: "both" }] });
      for (const [prompt, flags] of [
        ["first", []],
        ["/compact", ["--continue"]],
        ["after", ["--continue"]],
      ] as const) {
        succeeded(await rig.start(prompt, flags).ended);
      }
      const [log] = [...new Bun.Glob("*.jsonl").scanSync(join(world.home, "log"))];
      const heard = seenBy(join(world.home, "log", log ?? "")).map(({ event }) => event);
      expect(heard.filter((event) => event === "compact").length).toBe(1);
      expect(heard.filter((event) => event === "stop").length).toBe(2);
      expect(JSON.stringify(rig.model.requests.at(-1)?.messages)).toContain("a word after the compaction");
    },
    limit,
  );
});
