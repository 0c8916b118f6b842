import { expect, test } from "bun:test";
import { programOfGuarded } from "../registered-line.ts";
import { hostLimitMs, isOwnEntry, wantedGroups } from "./entries.ts";

test("an entry names its program, is known as Tama's, and waits as long as a timer can", () => {
  for (const binary of ["/opt/tama", "/a folder/it's/tama"]) {
    for (const [event, { hooks }] of wantedGroups(binary)) {
      const [entry] = hooks;
      expect(isOwnEntry(entry)).toBe(true);
      const command: unknown = Reflect.get(entry ?? {}, "command");
      expect(programOfGuarded(String(command))).toBe(binary);
      // Gemini fills these in before bash sees the line.
      expect(String(command)).not.toMatch(/\$(?:GEMINI|CLAUDE)_/);
      if (event !== "SessionEnd") expect(Reflect.get(entry ?? {}, "timeout")).toBe(hostLimitMs);
    }
  }
  expect(hostLimitMs).toBe(2 ** 31 - 1);
  expect(isOwnEntry({ type: "command", command: "my-tama-wrapper" })).toBe(false);
  expect(isOwnEntry(null)).toBe(false);
});

test("a binary that gives no answer refuses a tool and a prompt, and lets everything else go on with a warning", async () => {
  const dead = wantedGroups("/nowhere/tama");
  for (const [event, { hooks }] of dead) {
    const command = String(Reflect.get(hooks[0] ?? {}, "command"));
    const child = Bun.spawn(["bash", "-c", command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [words, code] = [await child.stderr.text(), await child.exited];
    expect(words).toContain("TAMA_HOOK_INFRASTRUCTURE: tama: /nowhere/tama gave no answer");
    expect(code).toBe(event === "BeforeTool" || event === "BeforeAgent" ? 2 : 1);
  }
});
