import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decidedEvents, limit, type OmpRig, openOmpRig, type Rpc, unavailable, until } from "../../clients/omp-rig.ts";
import { hasTerminal } from "../../clients/omp-window.ts";
import { inOrder, type ModelRequest, type Turn } from "../../clients/scripted-openai.ts";
import { ownEntries } from "./transcript-entries.ts";

let rig: OmpRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const answers = inOrder({ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" });
const reads = (opened: OmpRig, request: number, text: string): boolean =>
  (opened.model.requests[request]?.messages ?? []).some((message) => message.text.includes(text));

async function twoTurns(): Promise<{ opened: OmpRig; omp: Rpc; ends: () => number }> {
  const opened = await openOmpRig(answers, { config: "compaction: {keepRecentTokens: 1}\n" });
  rig = opened;
  const omp = opened.rpc();
  const ends = (): number => omp.reported().filter((type) => type === "agent_end").length;
  await until(() => omp.reported().includes("ready"), "OMP's readiness");
  for (const [index, message] of ["first", "second"].entries()) {
    omp.send({ id: `p${index}`, type: "prompt", message });
    await until(() => ends() === index + 1, `the end of the ${message}`);
  }
  return { opened, omp, ends };
}

describe.skipIf(unavailable !== null)(`OMP${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "what a hook restores after a compaction reaches the model; what comes for an older generation is discarded with the cause",
    async () => {
      const { opened, omp, ends } = await twoTurns();
      const restore = await opened.hold("restore", { event: "compact" });
      restore.answer("context remember the open work");
      omp.send({ id: "c1", type: "compact" });
      await until(() => omp.answered("c1"), "the compaction");
      omp.send({ id: "p2", type: "prompt", message: "third" });
      await until(() => ends() === 3, "the third end");
      expect(reads(opened, 2, "remember the open work")).toBe(true);
      omp.send({ id: "c2", type: "compact" });
      await until(() => restore.asked().length === 2, "the second compaction");
      omp.send({ id: "p3", type: "prompt", message: "fourth" });
      await until(() => ends() === 4, "the fourth end");
      restore.always("context too late");
      const ended = await omp.end();
      expect(ended.code).toBe(0);
      expect(reads(opened, 3, "too late")).toBe(false);
      expect(ended.stderr).toContain(
        "tama: the context after the compaction was discarded: a new message of the person came",
      );
      expect(ownEntries(opened, "tama-discarded-context")).toMatchObject([
        { data: { why: "a new message of the person came" } },
      ]);
    },
    limit,
  );

  test(
    "what a hook restores for a session that the person left meanwhile is discarded, and why is written down",
    async () => {
      const { opened, omp, ends } = await twoTurns();
      const restore = await opened.hold("restore", { event: "compact" });
      omp.send({ id: "c", type: "compact" });
      await until(() => restore.asked().length === 1, "the compaction's hook");
      omp.send({ id: "n", type: "new_session" });
      await until(() => omp.answered("n"), "the other session");
      const hookRuns = (): boolean => opened.processes().some(({ command }) => command.includes("restore.sh"));
      await until(() => !hookRuns(), "the hook's end");
      restore.always("context too late");
      omp.send({ id: "p2", type: "prompt", message: "third" });
      await until(() => ends() === 3, "the third end");
      const why = "the person went to another session";
      expect((await omp.end()).stderr).toContain(`the context after the compaction was discarded: ${why}`);
      expect(reads(opened, 2, "too late")).toBe(false);
      expect(ownEntries(opened, "tama-discarded-context")).toMatchObject([{ data: { why } }]);
    },
    limit,
  );

  test(
    "a run that OMP compacts in its middle goes on with what the hook restored",
    async () => {
      const step = (command: string, promptTokens = 100) => ({
        tools: [{ name: "bash", args: { command, i: "Working" } }],
        promptTokens,
      });
      let turn = 0;
      const script = async (request: ModelRequest): Promise<Turn> => {
        // OMP lets the model write the summary of a run that it compacts in the middle.
        if (request.messages.at(-1)?.text.includes("handoff document")) return { text: "a summary" };
        turn += 1;
        if (turn === 1) return step("echo one");
        if (turn === 2) return step("echo two", 195_000);
        if (turn > 3) return { text: "finished" };
        await until(() => rig !== null && decidedEvents(rig).includes("compact"), "the hook's answer");
        return step("echo three");
      };
      const opened = await openOmpRig(script, { config: "compaction: {keepRecentTokens: 1}\n" });
      rig = opened;
      const restore = await opened.hold("restore", { event: "compact" });
      restore.always("context remember the open work");
      expect(await opened.start("work").ended).toMatchObject({ code: 0, stdout: "finished\n" });
      expect(reads(opened, 1, "remember the open work")).toBe(false);
      expect(reads(opened, opened.model.requests.length - 1, "remember the open work")).toBe(true);
      expect(decidedEvents(opened).filter((event) => event === "input").length).toBe(1);
    },
    limit,
  );
});

describe.skipIf(unavailable !== null || !hasTerminal)("OMP in a terminal", () => {
  test(
    "Esc while OMP compacts gives up what the compaction asked, ends its hook and says so",
    async () => {
      const opened = await openOmpRig(answers, { config: "compaction: {keepRecentTokens: 1}\n" });
      rig = opened;
      const letGo = join(opened.home, "let-go");
      // Another extension that is not done with the compaction keeps it open, however slow the machine is.
      const holding = `import { existsSync } from "node:fs";
export default (pi) => pi.on("session_compact", async () => {
  while (!existsSync(${JSON.stringify(letGo)})) await new Promise((next) => setTimeout(next, 20));
});
`;
      writeFileSync(join(opened.home, ".omp/agent/extensions/zz-holding.ts"), holding);
      const restore = await opened.hold("restore", { event: "compact" });
      const passes = await opened.hold("ending-gate", { event: "stop" });
      passes.always("pass");
      const window = await opened.window();
      for (const [index, message] of ["the first message", "the second message"].entries()) {
        await window.type(message);
        await until(() => passes.asked().length === index + 1, `the end of ${message}`);
      }
      const hookRuns = (): boolean => opened.processes().some(({ command }) => command.includes("restore.sh"));
      const interruptIt = async (): Promise<void> => {
        await until(() => restore.asked().length === 1 && hookRuns(), "the compaction's hook");
        await window.keep("compaction 1 its hook runs");
        await window.press("Escape");
      };
      // Beside each other: the editor may show only after the compaction that it took its line.
      await Promise.all([window.type("/compact"), interruptIt()]);
      await until(() => !hookRuns(), "the hook's end");
      await window.until("tama: the context after the compaction was discarded: the compaction was interrupted");
      await window.keep("compaction 2 interrupted");
      expect(existsSync(letGo)).toBe(false);
      writeFileSync(letGo, "");
      const why = "the compaction was interrupted";
      await until(() => ownEntries(opened, "tama-discarded-context").length === 1, "the entry");
      expect(ownEntries(opened, "tama-discarded-context")).toMatchObject([{ data: { why } }]);
      await window.type("the third message");
      await until(() => passes.asked().length === 3, "the end of the third message");
      expect(restore.asked().length).toBe(1);
    },
    limit,
  );
});
