import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type GeminiRig, openGeminiRig, ownSettings } from "../../clients/gemini-rig.ts";
import { inOrder, shell } from "../../clients/scripted-gemini.ts";
import { declareHook } from "../tama-command.ts";

let rig: GeminiRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

describe.skipIf(unavailable !== null)(`Gemini CLI${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "a person's settings and hooks stand and run as they did, installing twice changes nothing, uninstalling gives back the very bytes",
    async () => {
      rig = await openGeminiRig({ script: inOrder(shell("touch ran"), { text: "finished" }), install: null });
      const log = join(rig.world.root, "own-log");
      const own = `"hooks":{"BeforeTool" :  [ {"matcher":"run_.*","hooks":[{"type":"command","command":"echo own >> ${log}"}]} ]\n\t}`;
      const theirs = ownSettings.replace(/\n}$/, `,\n\t${own}   }`);
      writeFileSync(rig.settings, theirs);
      const plan = succeeded(await rig.tama("install", "gemini", "--plan", "--no-binary")).stdout;
      expect(plan).toContain(rig.settings);
      expect(readFileSync(rig.settings, "utf8")).toBe(theirs);
      succeeded(await rig.tama("install", "gemini", "--no-binary"));
      const once = readFileSync(rig.settings, "utf8");
      succeeded(await rig.tama("install", "gemini", "--no-binary"));
      expect(readFileSync(rig.settings, "utf8")).toBe(once);
      succeeded(await rig.start("touch it").ended);
      expect(readFileSync(log, "utf8")).toBe("own\n");
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
      expect([...new Bun.Glob("*.jsonl").scanSync(join(rig.world.home, "log"))]).toHaveLength(1);
      succeeded(await rig.tama("uninstall", "gemini"));
      expect(readFileSync(rig.settings, "utf8")).toBe(theirs);
      expect(existsSync(join(rig.world.home, "install"))).toBe(false);
    },
    limit,
  );

  test(
    "comments in the settings stay where they are: Gemini CLI runs Tama beside them, doctor sees it, uninstalling gives back the bytes",
    async () => {
      rig = await openGeminiRig({ script: inOrder(shell("touch ran"), { text: "finished" }), install: null });
      const commented = ownSettings
        .replace("{ ", "{ // mine: no news, please\n")
        .replace(/\n}$/, ', // nothing\n\t/* hooks: later */ "ui": {} // the end\n}');
      writeFileSync(rig.settings, commented);
      succeeded(await rig.tama("install", "gemini", "--no-binary"));
      const once = readFileSync(rig.settings, "utf8");
      for (const comment of ["// mine: no news, please\n", "// nothing\n", "/* hooks: later */", "// the end\n"])
        expect(once).toContain(comment);
      succeeded(await rig.tama("install", "gemini", "--no-binary"));
      expect(readFileSync(rig.settings, "utf8")).toBe(once);
      expect((await rig.tama("doctor")).stdout).toMatch(/^gemini .* installed, starts /m);
      const denies = rig.world.script("denies", 'cat >/dev/null; echo "not here" >&2; exit 2');
      await declareHook(rig.world, { id: "not-here", command: [denies] });
      succeeded(await rig.start("touch it").ended);
      expect(existsSync(join(rig.work, "ran"))).toBe(false);
      succeeded(await rig.tama("uninstall", "gemini"));
      expect(readFileSync(rig.settings, "utf8")).toBe(commented);
      // Where the person changed the file meanwhile, Tama's entries alone are taken out.
      writeFileSync(rig.settings, once.replace("// nothing", "// nothing at all"));
      succeeded(await rig.tama("uninstall", "gemini"));
      expect(readFileSync(rig.settings, "utf8")).toBe(commented.replace("// nothing", "// nothing at all"));
    },
    limit,
  );

  test(
    "what a person changed since stays, without Tama's entries",
    async () => {
      rig = await openGeminiRig({ script: inOrder() });
      const installed = readFileSync(rig.settings, "utf8");
      writeFileSync(rig.settings, installed.replace('"privacy"', '"ui": {"hideTips": true},\n\t"privacy"'));
      succeeded(await rig.tama("uninstall", "gemini"));
      const after = readFileSync(rig.settings, "utf8");
      expect(after).toBe(ownSettings.replace('"privacy"', '"ui": {"hideTips": true},\n\t"privacy"'));
    },
    limit,
  );

  test(
    "a linked file stays a link; one that is no JSON is refused and left alone",
    async () => {
      rig = await openGeminiRig({ script: inOrder(), install: null });
      const dotfiles = join(rig.world.root, "dotfiles");
      mkdirSync(dotfiles);
      renameSync(rig.settings, join(dotfiles, "settings.json"));
      symlinkSync("../dotfiles/settings.json", rig.settings);
      succeeded(await rig.tama("install", "gemini", "--no-binary"));
      expect(lstatSync(rig.settings).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(dotfiles, "settings.json"), "utf8")).toContain("run-hook gemini");
      succeeded(await rig.tama("uninstall", "gemini"));
      expect(readFileSync(join(dotfiles, "settings.json"), "utf8")).toBe(ownSettings);
      writeFileSync(rig.settings, "{,}");
      for (const words of [
        ["install", "gemini", "--no-binary"],
        ["uninstall", "gemini"],
      ]) {
        const refused = await rig.tama(...words);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(`${rig.settings} is no JSON: `);
      }
      expect(readFileSync(rig.settings, "utf8")).toBe("{,}");
    },
    limit,
  );

  test(
    "doctor sends a canary through the registered line, and names settings that switch the hooks off and the calls they let by",
    async () => {
      rig = await openGeminiRig({ script: inOrder(shell("touch ran"), { text: "finished" }) });
      expect((await rig.tama("doctor")).stdout).toContain("a canary call is refused through its command line");
      const installed = readFileSync(rig.settings, "utf8");
      writeFileSync(rig.settings, installed.replace('"privacy"', '"hooksConfig": {"disabled": ["tama"]}, "privacy"'));
      succeeded(await rig.start("touch it").ended);
      expect(existsSync(join(rig.work, "ran"))).toBe(true);
      const off = await rig.tama("doctor");
      expect(off.stdout).toContain("gemini ran calls Tama never saw");
      expect(off.code).toBe(1);
      expect(off.stdout).toContain('"tama" under hooksConfig.disabled, so Gemini CLI does not run Tama\'s hooks');
    },
    limit,
  );
});
