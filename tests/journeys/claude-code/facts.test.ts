import { afterEach, describe, expect, test } from "bun:test";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type ClaudeRig, openClaudeRig } from "../../clients/claude-rig.ts";
import { inLanes, type Turn } from "../../clients/scripted-anthropic.ts";
import { declareHook } from "../tama-command.ts";
import { loggedBy } from "./session-log.ts";

let rig: ClaudeRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

describe.skipIf(unavailable !== null)(`Claude Code${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a subagent's start is heard as its own session's, and what a hook says there reaches the subagent",
    async () => {
      const input = { description: "Look", prompt: "[[one]] read the notes", subagent_type: "general-purpose" };
      const delegate: Turn = { tools: [{ name: "Agent", input }] };
      rig = await openClaudeRig({
        script: inLanes({ main: [delegate, { text: "finished" }], one: [{ text: "done" }] }),
      });
      const { world } = rig;
      const says = world.script(
        "says",
        `case "$(cat)" in *'"agent":"sub"'*) echo '{"context":"a word to the subagent"}';; esac`,
      );
      await declareHook(world, { id: "says", command: [says], on: [{ event: "session_start" }] });
      succeeded(await rig.start("let one look").ended);
      const first = rig.model.requests.find(({ lane }) => lane === "one");
      expect(JSON.stringify(first?.messages)).toContain("a word to the subagent");
      const main = rig.model.requests.find(({ lane }) => lane === "main");
      expect(JSON.stringify(main?.messages)).not.toContain("a word to the subagent");
      const heard = loggedBy(rig, "sub").map(({ event }) => event);
      expect(heard.slice(0, 2)).toEqual(["session_start", "stop"]);
    },
    limit,
  );

  test(
    "a turn that ends by an error of the model's is kept in the log with its cause",
    async () => {
      rig = await openClaudeRig({
        script: () => ({ failing: 529 }),
        environment: { CLAUDE_CODE_MAX_RETRIES: "0" },
      });
      // Claude Code ends meanwhile and kills that hook, often before its first word; none may be lost, nor be told twice.
      for (let turn = 0; turn < 4; turn++) await rig.start("just answer").ended;
      const lines = loggedBy(rig).filter(({ event }) => event === "stop_failure");
      expect(lines.length).toBe(4);
      for (const line of lines)
        expect(line).toMatchObject({ verdict: "pass", reason: expect.stringContaining("the turn ended by ") });
      expect((await rig.tama("log")).stdout).toContain("stop_failure");
    },
    limit,
  );

  test(
    "a compaction that is done is kept in the log, after the session's start that tells it to the hooks",
    async () => {
      rig = await openClaudeRig({ script: () => ({ text: "a summary" }) });
      for (const [prompt, flags] of [
        ["first", []],
        ["/compact", ["--continue"]],
      ] as const)
        succeeded(await rig.start(prompt, flags).ended);
      const heard = loggedBy(rig).map(({ event }) => event);
      expect(heard.filter((event) => event === "compact").length).toBe(1);
      expect(heard.indexOf("post_compact")).toBeGreaterThan(heard.indexOf("compact"));
      expect(loggedBy(rig).find(({ event }) => event === "post_compact")?.reason).toBe("compacted, manual");
    },
    limit,
  );
});
