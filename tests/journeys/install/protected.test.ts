import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type DrivenCore, startCore } from "../core-driver.ts";
import { makeWorld, tama, type World } from "../tama-command.ts";

let world: World | null = null;
let core: DrivenCore | null = null;
afterEach(async () => {
  await core?.close();
  world?.remove();
});

test("what an installation wrote is out of an agent's reach once gates are guarded", async () => {
  const here = makeWorld();
  world = here;
  for (const words of [
    ["install", "claude-code", "codex", "gemini", "omp", "pi", "--trust"],
    ["hooks", "declare", "block-gate-tampering"],
  ])
    expect((await tama(here, words)).code).toBe(0);
  core = await startCore(here, { harness: "claude-code" });
  let calls = 0;
  const verdictOf = async (tool: string, input: object): Promise<unknown> => {
    calls++;
    const payload = {
      session: "s",
      tool,
      input,
      call: `c${calls}`,
      message: `m${calls}`,
      cwd: here.root,
    };
    return (await core?.dispatch("tool_call", payload))?.["verdict"];
  };
  const verdictOn = (command: string): Promise<unknown> => verdictOf("Bash", { command });
  const files = [
    ".gemini/settings.json",
    ".omp/agent/extensions/tama.ts",
    ".pi/agent/extensions/tama.ts",
    ".local/bin/tama",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".claude/settings.json",
    "tama-home/registry.json",
  ];
  for (const file of files) {
    expect([file, await verdictOn(`rm ${join(here.root, file)}`)]).toEqual([file, "refuse"]);
    expect([file, await verdictOn(`echo > ~/${file}`)]).toEqual([file, "refuse"]);
    expect([file, await verdictOn(`wc -c ${join(here.root, file)}`)]).toEqual([file, "pass"]);
    for (const tool of ["Write", "mcp__filesystem__write_file"])
      expect([file, await verdictOf(tool, { path: join(here.root, file), content: "" })]).toEqual([file, "refuse"]);
  }
  expect(await verdictOf("Monitor", { command: "tama uninstall" })).toBe("refuse");
  expect(await verdictOf("mcp__filesystem__write_file", { path: join(here.root, "notes"), content: "" })).toBe("pass");
  for (const command of ["tama install codex", "tama uninstall", "tama grant once --session s --hook h --because x"])
    expect([command, await verdictOn(command)]).toEqual([command, "refuse"]);
  for (const command of ["tama install --plan", "tama doctor", "tama completions bash"])
    expect([command, await verdictOn(command)]).toEqual([command, "pass"]);
});
