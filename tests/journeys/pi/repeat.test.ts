import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { call, openPiRig, type PiRig, shell, toldOutputs } from "../../clients/pi-rig.ts";
import { inOrder, type Turn } from "../../clients/scripted-openai.ts";

let rig: PiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const look = shell("cat notes.txt");
const held = "this session's same call was failed at ";
const missing = "cat: notes.txt: No such file or directory";

async function toldBy(...turns: readonly Turn[]): Promise<readonly string[]> {
  rig = await openPiRig({ script: inOrder(...turns, { text: "finished" }) });
  succeeded(await rig.start("look at it").ended);
  return toldOutputs(rig.model);
}

describe.skipIf(unavailable !== null)(`pi${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a failing shell call repeated is refused with its earlier answer, and runs after a write that succeeded",
    async () => {
      const told = await toldBy(look, look, call("write", { path: "notes.txt", content: "hi" }), look);
      expect(told[0]).toContain(missing);
      expect(told[1]).toStartWith(held);
      expect(told[1]).toContain(missing);
      expect(told[1]).toContain("tama calls retry ");
      expect(told[2]).toContain("Successfully wrote");
      expect(told[3]).toBe("hi");
    },
    limit,
  );

  test(
    "a tool that fails by its own word is held; two equal calls of one answer both run; one that succeeded may run again",
    async () => {
      const read = call("read", { path: "nowhere.txt" });
      const twice: Turn = { tools: [...(look.tools ?? []), ...(look.tools ?? [])] };
      const told = await toldBy(twice, read, read, shell("echo fine"), shell("echo fine"));
      expect(told.slice(0, 2).every((text) => text.includes(missing))).toBe(true);
      expect(told[2]).toContain("ENOENT");
      expect(told[3]).toStartWith(held);
      expect(told[3]).toContain("ENOENT");
      expect(told[5]).toContain("fine");
      expect(told[5]).not.toContain("same call");
    },
    limit,
  );

  test(
    "from its start to its end a session's events reach the core, and doctor finds no call that Tama never saw",
    async () => {
      await toldBy(shell("true"), call("read", {}));
      const log = [...new Bun.Glob("*.jsonl").scanSync({ cwd: join(rig?.world.home ?? "", "log"), absolute: true })];
      expect(log).toHaveLength(1);
      const events = readFileSync(log[0] ?? "", "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).event);
      expect(events).toEqual(["session_start", "input", "tool_call", "tool_result", "stop", "session_end"]);
      expect((await rig?.tama("doctor"))?.stdout).not.toContain("never saw");
    },
    limit,
  );
});
