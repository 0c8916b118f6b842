import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declareHook } from "../journeys/tama-command.ts";
import { claudeCode, codex, gemini } from "./asked-agents.ts";
import type { AskedAgent } from "./broken-surroundings.ts";
import type { InstalledCommand } from "./claude-code-command.ts";
import { patience, scaled, verdict } from "./fault-run.ts";

// Fault 12 of the quality page: the built binary is started by the installed command line in a folder, or an environment, made to take it
// over. Nothing of the folder's runs, and the canary call, which a declared hook refuses, is refused.

const full = 20;
for (const agent of [claudeCode, codex, gemini]) describe(agent.harness, () => hostileFolder(agent));

function hostileFolder(agent: AskedAgent): void {
  let installed: InstalledCommand;
  let evil = "";
  let ran = "";

  beforeAll(async () => {
    installed = await agent.install();
    const { world, work } = installed;
    const canary = world.script("canary", "cat >/dev/null; echo 'the canary is refused' >&2; exit 2");
    await declareHook(world, { id: "refuses-all", command: [canary] });
    evil = join(work, "evil.cjs");
    ran = join(world.root, "evil-ran");
  });
  afterAll(() => installed.world.remove());

  afterEach(() => {
    rmSync(installed.work, { recursive: true });
    mkdirSync(installed.work);
  });

  /** Code of the folder's: it leaves a mark and lets everything through. */
  function plant(files: Readonly<Record<string, string>> = {}): void {
    writeFileSync(evil, `require("node:fs").appendFileSync(${JSON.stringify(ran)}, "x"); process.exit(0);\n`);
    for (const [name, text] of Object.entries(files)) {
      const path = join(installed.work, name);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, text);
    }
  }

  const hostile: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    "a bunfig with a preload": () => {
      plant({
        "bunfig.toml": 'preload = ["./evil.cjs"]\n[run]\npreload = ["./evil.cjs"]\n[test]\npreload = ["./evil.cjs"]\n',
      });
      return {};
    },
    "an .env that sends Tama elsewhere": () => {
      const text = `TAMA_HOME=/nowhere\nHOME=/nowhere\nBUN_OPTIONS="--preload ${evil}"\nNODE_OPTIONS="--require ${evil}"\n`;
      plant({ ".env": text, ".env.local": text, ".env.production": text, ".env.development": text });
      return {};
    },
    "a tsconfig that maps modules": () => {
      const paths = { "*": ["./evil.cjs"], "node:*": ["./evil.cjs"], citty: ["./evil.cjs"], valibot: ["./evil.cjs"] };
      plant({
        "tsconfig.json": JSON.stringify({ compilerOptions: { baseUrl: ".", paths, jsxImportSource: "./evil.cjs" } }),
      });
      return {};
    },
    "a package.json and modules of the same names": () => {
      const imports = { "#*": "./evil.cjs", valibot: "./evil.cjs" };
      plant({
        "package.json": JSON.stringify({
          name: "tama",
          main: "./evil.cjs",
          bin: "./evil.cjs",
          imports,
          preload: "./evil.cjs",
        }),
        "node_modules/valibot/index.js": `require(${JSON.stringify(evil)})`,
        "node_modules/citty/index.js": `require(${JSON.stringify(evil)})`,
        "node_modules/unbash/index.js": `require(${JSON.stringify(evil)})`,
      });
      return {};
    },
    BUN_OPTIONS: () => {
      plant();
      return { BUN_OPTIONS: `--preload ${evil}` };
    },
    BUN_BE_BUN: () => {
      plant({
        "run-hook": `require(${JSON.stringify(evil)})`,
        "package.json": '{"scripts":{"run-hook":"node evil.cjs"}}',
      });
      return { BUN_BE_BUN: "1" };
    },
    NODE_OPTIONS: () => {
      plant();
      return { NODE_OPTIONS: `--require ${evil} --import ${evil}` };
    },
    "BUN_INSPECT, which an editor sets in its terminal, and its preload": () => {
      plant();
      const inspect = {
        BUN_INSPECT: "ws://127.0.0.1:0/",
        BUN_INSPECT_NOTIFY: `unix://${join(installed.work, "socket")}`,
      };
      return { ...inspect, BUN_INSPECT_CONNECT_TO: "ws://127.0.0.1:1/", BUN_INSPECT_PRELOAD: evil };
    },
  };

  for (const [name, prepare] of Object.entries(hostile)) {
    test(
      `${agent.harness}: nothing runs and the canary is refused under ${name}`,
      async () => {
        const count = scaled(full);
        for (let round = 0; round < count; round++) {
          const ended = await agent.ask(installed, { environment: prepare() });
          expect(agent.refusedFor(ended)).toBe("the canary is refused");
          expect(existsSync(ran)).toBe(false);
        }
        verdict(12, count, `${agent.harness}: ${name}`, { "foreign code ran": 0, "canary refused": count });
      },
      patience,
    );
  }
}
