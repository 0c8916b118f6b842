import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded } from "../../clients/agent-rig.ts";
import { declareHook } from "../tama-command.ts";
import { inTurn, type StoryAgent, storiesOf } from "./story-agent.ts";

/** What a person's own hooks decide. */
export function ownHooksOf(agent: StoryAgent): void {
  storiesOf(agent, ({ open }) => {
    test(
      "a person's own hook denies a call, in Tama's contract and in Claude Code's",
      async () => {
        const rig = await open({ model: inTurn({ shell: "touch one" }, { shell: "touch two" }, { text: "I stop" }) });
        const { world } = rig;
        const denies = world.script(
          "denies",
          'case "$(cat)" in *"touch one"*) echo "no ones here" >&2; exit 2 ;; esac',
        );
        const answer = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no twos" };
        const theirs = world.script(
          "theirs",
          `case "$(cat)" in *'"tool_name":"Bash"'*"touch two"*) echo '${JSON.stringify({ hookSpecificOutput: answer })}' ;; esac`,
        );
        await declareHook(world, { id: "no-ones", command: [denies] });
        await declareHook(world, { id: "no-twos", command: [theirs], contract: "claude-code" });
        succeeded(await rig.start("touch them").ended);
        const [one, two] = rig.told();
        expect(one).toStartWith(`${agent.refused}no ones here`);
        expect(two).toStartWith(`${agent.refused}no twos`);
        expect(["one", "two"].some((name) => existsSync(join(rig.work, name)))).toBe(false);
      },
      limit,
    );

    test(
      "a hook holds the end of a turn once, and the model reads its reason; what is passed may carry words for the model",
      async () => {
        const rig = await open({ model: inTurn({ text: "done, I think" }, { text: "checked, and done" }) });
        const { world } = rig;
        const holds = world.script("holds", 'case "$(cat)" in *"I think"*) echo "check it first" >&2; exit 2 ;; esac');
        await declareHook(world, { id: "no-guess", command: [holds], on: [{ event: "stop" }] });
        const says = world.script("says", `cat >/dev/null; echo '{"context":"the person prefers tea"}'`);
        await declareHook(world, { id: "tea", command: [says], on: [{ event: "input" }] });
        const out = succeeded(await rig.start("finish").ended).stdout;
        expect(rig.requests()[0]).toContain("the person prefers tea");
        expect(rig.requests()[1]).toContain("check it first");
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

    for (const [what, code] of [
      ["refuses", 2],
      ["dies at", 9],
    ] as const)
      test(
        `a hook that ${what} every ending cannot keep a turn going, though ${agent.name} itself would never stop it`,
        async () => {
          const rig = await open({ model: (number) => ({ text: `answer ${number}` }) });
          const never = rig.world.script("never", `cat >/dev/null; echo "never good enough" >&2; exit ${code}`);
          await declareHook(rig.world, { id: "never", command: [never], on: [{ event: "stop" }] });
          succeeded(await rig.start("finish").ended);
          expect(rig.requests()[1]).toContain("never");
          expect(rig.requests().length).toBeLessThan(10);
        },
        limit,
      );

    test(
      "a refused prompt never reaches the model",
      async () => {
        const rig = await open({ model: inTurn({ text: "hello" }) });
        const denies = rig.world.script("denies", 'cat >/dev/null; echo "not today" >&2; exit 2');
        await declareHook(rig.world, { id: "not-today", command: [denies], on: [{ event: "input" }] });
        await rig.start("hello").ended;
        expect(rig.requests()).toEqual([]);
      },
      limit,
    );
  });
}
