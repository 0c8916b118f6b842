import { afterEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { limit, succeeded, unavailable } from "../../clients/agent-rig.ts";
import { type CodexRig, openCodexRig } from "../../clients/codex-rig.ts";
import { inOrder, shell } from "../../clients/scripted-responses.ts";
import { type CommandEnd, tama } from "../tama-command.ts";

let rig: CodexRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** The real OMP, Claude Code and Codex on PATH, Tama installed in all three, its program first on PATH. */
async function openInstalled(): Promise<CodexRig & { readonly doctor: (cwd?: string) => Promise<Doctored> }> {
  const opened = await openCodexRig({ script: inOrder(shell("touch ran"), { text: "finished" }), install: null });
  rig = opened;
  const { world } = opened;
  const environment = { PATH: `${join(world.root, ".local/bin")}:${world.environment["PATH"]}` };
  succeeded(await opened.tama("install", "--trust"));
  const doctor = async (cwd = world.root): Promise<Doctored> => {
    const ended = await tama(world, ["doctor", "--json"], { environment, cwd });
    return { ended, found: JSON.parse(ended.stdout) };
  };
  return { ...opened, doctor };
}

interface Doctored {
  readonly ended: CommandEnd;
  readonly found: {
    readonly harnesses: readonly {
      readonly harness: string;
      readonly version: string;
      readonly installed: boolean;
      readonly canaryRefused: boolean | null;
      readonly problems: readonly { readonly what: string; readonly wayOut: string }[];
    }[];
    readonly problems: readonly { readonly what: string; readonly wayOut: string }[];
  };
}

function problemsOf({ found }: Doctored, harness: string): string {
  const one = found.harnesses.find((each) => each.harness === harness);
  return (one?.problems ?? []).map(({ what }) => what).join("\n");
}

/** Names and sizes of all below a folder. */
function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => `${name} ${statSync(join(folder, name)).size}`);
}

describe.skipIf(unavailable !== null)(`doctor${unavailable === null ? "" : ` (skipped: ${unavailable})`}`, () => {
  test(
    "finds the agents with their versions, sees a canary refused through each line, and leaves no record",
    async () => {
      const { doctor, start, world } = await openInstalled();
      succeeded(await start("touch it").ended);
      const before = snapshot(world.home);
      const doctored = await doctor();
      expect(doctored.found.harnesses.flatMap(({ problems }) => problems)).toEqual([]);
      expect(doctored.found.problems).toEqual([]);
      expect(doctored.ended.code).toBe(0);
      expect(
        doctored.found.harnesses.map(({ harness, version, installed, canaryRefused }) => [
          harness,
          version,
          installed,
          canaryRefused,
        ]),
      ).toEqual(
        expect.arrayContaining([
          ["omp", "18.2.3", true, true],
          ["claude-code", "2.1.332", true, true],
          ["codex", "0.171.0", true, true],
        ]),
      );
      expect(snapshot(world.home).filter((line) => !line.startsWith("ownership-inspection.lock"))).toEqual(
        before.filter((line) => !line.startsWith("ownership-inspection.lock")),
      );
    },
    limit,
  );

  test(
    "says that the gate does not exist where the program is gone, or is another that answers nothing",
    async () => {
      const { doctor, world } = await openInstalled();
      const place = join(world.root, ".local/bin/tama");
      rmSync(place);
      writeFileSync(place, "#!/bin/sh\ncat >/dev/null\n");
      chmodSync(place, 0o755);
      const silent = await doctor();
      for (const harness of ["omp", "claude-code", "codex"])
        expect(problemsOf(silent, harness)).toContain(`THE GATE DOES NOT EXIST in ${harness}: `);
      rmSync(place);
      const gone = await doctor();
      expect(gone.ended.code).toBe(1);
      for (const harness of ["omp", "claude-code", "codex"])
        expect(problemsOf(gone, harness)).toContain(`THE GATE DOES NOT EXIST in ${harness}: `);
      expect(JSON.stringify(gone.found.problems)).toContain(`${place}, which agents start, is not there`);
    },
    limit,
  );

  test(
    "sees hooks switched off, a stale adapter, and trust that was never given or is another text's",
    async () => {
      const { doctor, world, config } = await openInstalled();
      const work = join(world.root, "project");
      mkdirSync(join(work, ".claude"), { recursive: true });
      writeFileSync(join(work, ".claude/settings.local.json"), '{"disableAllHooks":true}');
      appendFileSync(join(world.root, ".omp/agent/extensions/tama.ts"), "// older\n");
      writeFileSync(join(world.root, ".omp/agent/config.yml"), "disabledExtensions:\n  - extension-module:tama\n");
      const text = readFileSync(config, "utf8");
      writeFileSync(config, text.replace(/(stop:0:0"\]\ntrusted_hash = "sha256:)..../, "$10000"));
      const one = await doctor(work);
      expect(problemsOf(one, "claude-code")).toContain('settings.local.json says "disableAllHooks": true');
      expect(problemsOf(one, "omp")).toContain("extension-module:tama under disabledExtensions");
      expect(problemsOf(one, "omp")).toContain("tama.ts: not what this release would write");
      expect(problemsOf(one, "codex")).toMatch(/have not trusted them: \w+ \(changed\)$/);
      writeFileSync(config, text.slice(0, text.indexOf("# tama: trust")));
      expect(problemsOf(await doctor(), "codex")).toContain("PreToolUse (untrusted)");
      writeFileSync(config, `${text}\n[features]\nhooks = false\n`);
      expect(problemsOf(await doctor(), "codex")).toContain("says hooks = false");
    },
    limit,
  );

  test(
    "finds calls that no core saw, a home open to others, a record that cannot be read, and a hook whose program is gone",
    async () => {
      const { doctor, start, world, hooksFile } = await openInstalled();
      const hooks = readFileSync(hooksFile, "utf8");
      rmSync(hooksFile);
      succeeded(await start("touch it").ended);
      writeFileSync(hooksFile, hooks);
      chmodSync(world.home, 0o755);
      mkdirSync(join(world.home, "sessions"), { recursive: true });
      writeFileSync(join(world.home, "sessions/torn.json"), '{"session":');
      const hook = world.script("passes", "cat >/dev/null");
      const file = world.write(
        "d.json",
        JSON.stringify({ id: "mine", says: "x", on: [{ event: "stop" }], program: { command: [hook] } }),
      );
      succeeded(await tama(world, ["hooks", "declare", "--file", file]));
      chmodSync(world.home, 0o755);
      rmSync(hook);
      const doctored = await doctor();
      expect(problemsOf(doctored, "codex")).toMatch(/codex ran calls Tama never saw in session [0-9a-f-]+: 1 of bash /);
      const own = doctored.found.problems.map(({ what }) => what).join("\n");
      expect(own).toContain(`${world.home} is open to others (mode 755)`);
      expect(own).toContain("sessions/torn.json");
      expect(own).toContain(`the hook mine runs ${hook}, which is not there`);
      expect(doctored.found.problems.every(({ wayOut }) => wayOut !== "")).toBe(true);
    },
    limit,
  );
});
