import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type CodexRig, openCodexRig } from "../../clients/codex-rig.ts";
import { inOrder, shell } from "../../clients/scripted-responses.ts";

let rig: CodexRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** A person's hooks in a manner of their own. */
function theirHooks(log: string): string {
  return `{ "hooks":{"PreToolUse" :  [ {"hooks":[{"type":"command","command":"echo own >> ${log}"}]} ],
\t\t"Notice":[]
\t}   }`;
}

describe.skipIf(unavailable !== null)(`Codex${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "without --trust nothing of trust is written, Codex leaves Tama's hooks out, and installing says what to do",
    async () => {
      rig = await openCodexRig({ script: inOrder(shell("touch ran"), { text: "finished" }), install: null });
      const config = readFileSync(rig.config, "utf8");
      const installed = succeeded(await rig.tama("install", "codex", "--no-binary"));
      expect(installed.stderr).toContain("trust Tama's");
      expect(readFileSync(rig.config, "utf8")).toBe(config);
      succeeded(await rig.start("touch it").ended);
      expect(existsSync(join(rig.world.home, "log"))).toBe(false);
      const trusted = succeeded(await rig.tama("install", "codex", "--no-binary", "--trust"));
      expect(trusted.stderr).not.toContain("trust Tama's");
      expect(readFileSync(rig.config, "utf8")).toStartWith(config);
      succeeded(await rig.start("touch it").ended);
      expect([...new Bun.Glob("*.jsonl").scanSync(join(rig.world.home, "log"))]).toHaveLength(1);
      succeeded(await rig.tama("uninstall", "codex"));
      expect(readFileSync(rig.config, "utf8")).toBe(config);
      expect(existsSync(rig.hooksFile)).toBe(false);
    },
    limit,
  );

  test(
    "a person's hooks stand and run as they did, installing twice changes nothing, uninstalling gives back the very bytes",
    async () => {
      rig = await openCodexRig({ script: inOrder(shell("touch ran"), { text: "finished" }), install: null });
      const log = join(rig.world.root, "own-log");
      const theirs = theirHooks(log);
      writeFileSync(rig.hooksFile, theirs);
      const plan = succeeded(await rig.tama("install", "codex", "--plan", "--no-binary", "--trust")).stdout;
      for (const file of [rig.hooksFile, rig.config]) expect(plan).toContain(file);
      expect(readFileSync(rig.hooksFile, "utf8")).toBe(theirs);
      succeeded(await rig.tama("install", "codex", "--no-binary", "--trust"));
      const once = readFileSync(rig.hooksFile, "utf8");
      succeeded(await rig.tama("install", "codex", "--no-binary", "--trust"));
      expect(readFileSync(rig.hooksFile, "utf8")).toBe(once);
      // Their own hook is not trusted yet, which is theirs to say; ours stand behind it and leave its place alone.
      succeeded(await rig.start("touch it", ["--dangerously-bypass-hook-trust"]).ended);
      expect(readFileSync(log, "utf8")).toBe("own\n");
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
      succeeded(await rig.tama("uninstall", "codex"));
      expect(readFileSync(rig.hooksFile, "utf8")).toBe(theirs);
    },
    limit,
  );

  test(
    "where the program's path changes, --trust renews what it wrote; a decision of the person's is never overwritten",
    async () => {
      rig = await openCodexRig({ script: inOrder(shell("touch ran"), { text: "finished" }) });
      const config = readFileSync(rig.config, "utf8");
      const moved = succeeded(await rig.tama("install", "codex"));
      expect(moved.stderr).toContain("trust Tama's");
      expect(readFileSync(rig.config, "utf8")).toBe(config);
      succeeded(await rig.tama("install", "codex", "--trust"));
      succeeded(await rig.start("touch it").ended);
      expect([...new Bun.Glob("*.jsonl").scanSync(join(rig.world.home, "log"))]).toHaveLength(1);
      const disabled = readFileSync(rig.config, "utf8").replace(/(stop:0:0"\]\n)/, "$1enabled = false\n");
      writeFileSync(rig.config, disabled);
      const refused = await rig.tama("install", "codex", "--trust");
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("holds another decision on Tama's hooks");
      expect(readFileSync(rig.config, "utf8")).toBe(disabled);
    },
    limit,
  );

  test(
    "a linked file stays a link; one that is no JSON, and a config that is no TOML, are refused and left alone",
    async () => {
      rig = await openCodexRig({ script: inOrder(), install: null });
      const dotfiles = join(rig.world.root, "dotfiles");
      mkdirSync(dotfiles);
      writeFileSync(rig.hooksFile, "{}");
      renameSync(rig.hooksFile, join(dotfiles, "hooks.json"));
      symlinkSync("../dotfiles/hooks.json", rig.hooksFile);
      succeeded(await rig.tama("install", "codex", "--no-binary"));
      expect(lstatSync(rig.hooksFile).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(dotfiles, "hooks.json"), "utf8")).toContain("run-hook codex");
      succeeded(await rig.tama("uninstall", "codex"));
      expect(readFileSync(join(dotfiles, "hooks.json"), "utf8")).toBe("{}");
      writeFileSync(rig.hooksFile, "{,}");
      for (const verb of ["install", "uninstall"]) {
        const words = verb === "install" ? ["--no-binary"] : [];
        const refused = await rig.tama(verb, "codex", ...words);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(`${rig.hooksFile} is no JSON: `);
      }
      expect(readFileSync(rig.hooksFile, "utf8")).toBe("{,}");
      writeFileSync(rig.hooksFile, "{}");
      writeFileSync(rig.config, "model = ");
      const refused = await rig.tama("install", "codex", "--no-binary", "--trust");
      expect(refused.stderr).toContain(`${rig.config} is no TOML: `);
      expect(readFileSync(rig.hooksFile, "utf8")).toBe("{}");
    },
    limit,
  );
});
