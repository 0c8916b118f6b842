import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type GeminiRig, openGeminiRig } from "../../clients/gemini-rig.ts";
import { inOrder, shell, type Turn, toldOutputs } from "../../clients/scripted-gemini.ts";

let rig: GeminiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const look = shell("cat notes.txt");
const held = "Tool execution blocked: this session's same call was failed at ";
const missing = "cat: notes.txt: No such file or directory";
const write: Turn = { calls: [{ name: "write_file", args: { file_path: "notes.txt", content: "hi" } }] };

async function toldBy(...turns: readonly Turn[]): Promise<readonly string[]> {
  rig = await openGeminiRig({ script: inOrder(...turns, { text: "finished" }) });
  succeeded(await rig.start("look at it").ended);
  return toldOutputs(rig.model);
}

describe.skipIf(unavailable !== null)(`Gemini CLI${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a failing shell call repeated is refused with its earlier answer, also under another description, and runs after a write that succeeded",
    async () => {
      const told = await toldBy(look, look, shell("cat notes.txt", "once more"), write, look);
      expect(told[0]).toContain(missing);
      for (const refused of told.slice(1, 3)) {
        expect(refused).toStartWith(held);
        expect(refused).toContain(missing);
        expect(refused).toContain("tama calls retry ");
      }
      expect(told[3]).toContain("Successfully created and wrote to new file");
      expect(told[4]).toContain("Output: hi");
    },
    limit,
  );

  test(
    "two equal calls of one answer both run; what a program prints is no failure of its own",
    async () => {
      const twice: Turn = { calls: [...(look.calls ?? []), ...(look.calls ?? [])] };
      const imitates = shell("printf 'fine\\nExit Code: 3\\n'");
      const told = await toldBy(twice, imitates, imitates);
      expect(told[0]).toContain(missing);
      expect(told[1]).toContain(missing);
      expect(told[3]).toContain("Exit Code: 3");
      expect(told[3]).not.toContain("blocked");
    },
    limit,
  );

  test(
    "a tool that fails by its own word is held when it is repeated",
    async () => {
      const read: Turn = { calls: [{ name: "read_file", args: { file_path: "nowhere.txt" } }] };
      const told = await toldBy(read, read);
      expect(told[0]).toContain("File not found");
      expect(told[1]).toStartWith(held);
      expect(told[1]).toContain("File not found");
    },
    limit,
  );

  test(
    "from its start to its end a session's events reach the core, and doctor finds no call that Tama never saw",
    async () => {
      await toldBy(shell("true"), { calls: [{ name: "read_file", args: {} }] });
      const [log] = [...new Bun.Glob("*.jsonl").scanSync(join(rig?.world.home ?? "", "log"))];
      const path = join(rig?.world.home ?? "", "log", log ?? "");
      expect(existsSync(path)).toBe(true);
      const events = readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).event);
      expect(events).toEqual(["session_start", "input", "tool_call", "tool_result", "stop", "session_end"]);
      expect((await rig?.tama("doctor"))?.stdout).not.toContain("never saw");
    },
    limit,
  );
});
