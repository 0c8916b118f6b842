import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type CodexRig, openCodexRig } from "../../clients/codex-rig.ts";
import { inOrder, shell, type Turn, toldOutputs } from "../../clients/scripted-responses.ts";

let rig: CodexRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const look = shell("cat notes.txt");
const held = "Command blocked by PreToolUse hook: this session's same call was failed at ";
const missing = "cat: notes.txt: No such file or directory";
const addFile = (name: string): string => `*** Begin Patch\n*** Add File: ${name}\n+hi\n*** End Patch\n`;
const patch = (input: string): Turn => ({ calls: [{ custom: "apply_patch", input }] });
const impossible = "*** Begin Patch\n*** Update File: nowhere.txt\n@@\n-x\n+y\n*** End Patch\n";

async function toldBy(...turns: readonly Turn[]): Promise<readonly string[]> {
  rig = await openCodexRig({ script: inOrder(...turns, { text: "finished" }) });
  succeeded(await rig.start("look at it").ended);
  return toldOutputs(rig.model);
}

describe.skipIf(unavailable !== null)(`Codex${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a failing shell call repeated is refused with its earlier answer, and runs after a patch that succeeded",
    async () => {
      const told = await toldBy(look, look, patch(addFile("notes.txt")), look);
      expect(told[0]).toContain(missing);
      expect(told[1]).toStartWith(held);
      expect(told[1]).toContain(missing);
      expect(told[1]).toContain("tama calls retry ");
      expect(told[2]).toContain("Success. Updated the following files");
      expect(told[3]).toContain("Process exited with code 0");
    },
    limit,
  );

  test(
    "a patch made through the shell, of whose end Codex tells no hook, releases too",
    async () => {
      const told = await toldBy(look, look, shell(`apply_patch <<'EOF'\n${addFile("notes.txt")}EOF`), look);
      expect(told[1]).toStartWith(held);
      expect(told[2]).toContain("Success. Updated the following files");
      expect(told[3]).toContain("Process exited with code 0");
    },
    limit,
  );

  test(
    "a patch that does not apply is held when it is repeated, though Codex tells no hook of its failure",
    async () => {
      const told = await toldBy(patch(impossible), patch(impossible), { text: "I stop here" });
      expect(told[0]).toStartWith("apply_patch verification failed");
      expect(told[1]).toStartWith(held);
      expect(told[1]).toContain("apply_patch verification failed");
    },
    limit,
  );

  test(
    "in code mode, where the model writes JavaScript, each command in it is asked about alike",
    async () => {
      const exec = (input: string): Turn => ({ calls: [{ custom: "exec", input }] });
      const run = exec('text(JSON.stringify(await tools.exec_command({cmd:"cat notes.txt"})))');
      const door = exec('try { await tools.exec_command({cmd:"bash",tty:true}) } catch (e) { text("caught " + e) }');
      const mend = exec(`text(JSON.stringify(await tools.apply_patch(${JSON.stringify(addFile("notes.txt"))})))`);
      rig = await openCodexRig({ script: inOrder(run, run, door, mend, run, { text: "finished" }) });
      succeeded(await rig.start("look at it", ["-m", "gpt-6.2-sol"]).ended);
      const told = toldOutputs(rig.model);
      expect(told[0]).toContain(missing);
      expect(told[1]).toContain(`Script error:\n${held}`);
      expect(told[2]).toContain("caught Command blocked by PreToolUse hook: BLOCKED: codex-typed-input: ");
      expect(told[4]).toContain('"exit_code":0');
    },
    limit,
  );

  test(
    "two subagents that make the same call at once are kept apart, each held by its own failure alone",
    async () => {
      const spawn = { name: "spawn_agent", namespace: "multi_agent_v1", args: { message: "look at it" } };
      const bothEnded = Promise.withResolvers<void>();
      let ended = 0;
      rig = await openCodexRig({
        script: async (_request, number) => {
          if (number === 1) await bothEnded.promise;
          return number === 0 ? { calls: [spawn, spawn] } : { text: "finished" };
        },
        ofSubagents: (_request, number) => {
          if (number === 2 && ++ended === 2) bothEnded.resolve();
          return number < 2 ? look : { text: "I stop" };
        },
      });
      succeeded(await rig.start("let two look").ended);
      const kept = [...new Bun.Glob("*~*.json").scanSync(join(rig.world.home, "failed-calls"))];
      expect(kept).toHaveLength(2);
      const logs = [...new Bun.Glob("*~*.jsonl").scanSync({ cwd: join(rig.world.home, "log"), absolute: true })];
      const calls = logs.map((log) =>
        readFileSync(log, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
          .filter(({ event }) => event === "tool_call")
          .map(({ verdict }) => verdict),
      );
      expect(calls).toEqual([
        ["pass", "refuse"],
        ["pass", "refuse"],
      ]);
    },
    limit,
  );

  test(
    "two equal calls of one answer both run; a call that succeeded may run again",
    async () => {
      const twice: Turn = { calls: [...(look.calls ?? []), ...(look.calls ?? [])] };
      const told = await toldBy(twice, shell("echo fine"), shell("echo fine"));
      expect(told[0]).toContain(missing);
      expect(told[1]).toContain(missing);
      expect(told[3]).toContain("Process exited with code 0");
    },
    limit,
  );

  test(
    "a shell in a terminal, which takes commands no hook hears of, is refused with the way out; with its command it runs",
    async () => {
      const door = shell("bash", { tty: true, yield_time_ms: 300 });
      const inside = shell("bash -c 'touch ran'", { tty: true });
      const told = await toldBy(door, shell("FOO=1 exec env -i sh", { tty: true }), inside);
      for (const refused of told.slice(0, 2)) {
        expect(refused).toStartWith("Command blocked by PreToolUse hook: BLOCKED: codex-typed-input: ");
        expect(refused).toContain("bash -c '…'");
      }
      expect(told[2]).toContain("Process exited with code 0");
      expect(existsSync(join(rig?.work ?? "", "ran"))).toBe(true);
      const log = succeeded((await rig?.tama("log")) ?? expect.unreachable()).stdout;
      expect(log).toContain("codex-typed-input");
    },
    limit,
  );
});
