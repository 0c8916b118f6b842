import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { factLoader } from "../../src/facts/load-facts.ts";
import { runGate } from "../../src/gates/run-gate.ts";

/**
 * Calls that would change what judges the session, and calls that only look so: the real gate function over a real home in which Tama is
 * installed. `@HOME@` stands for that home's path, `@USER@` for the name of who it belongs to.
 */
interface Tampering {
  readonly name: string;
  /** Default: omp. */
  readonly harness?: string;
  readonly tool: string;
  readonly input: unknown;
  readonly expect: "pass" | "refuse";
}

const cases = readFileSync(join(import.meta.dir, "own-tampering.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Tampering);

/** What Tama and Oko put into a home. */
const installed: Readonly<Record<string, string>> = {
  ".tama/registry.json": '{"declared":[]}',
  ".oko/defects.json": "{}",
  ".local/bin/tama": "#!/bin/sh\n",
  ".omp/agent/extensions/tama.ts": "// tama\n",
  ".claude/settings.json": '{"hooks":"run-hook claude-code"}',
  ".codex/hooks.json": '{"hooks":"run-hook codex"}',
  "app/.claude/settings.json": '{"hooks":"run-hook claude-code"}',
};

let home = "";
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "tama-tampering-")));
  for (const [name, text] of Object.entries(installed)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

for (const one of cases) {
  test(`${one.name}: ${one.expect}`, async () => {
    const input: unknown = JSON.parse(
      JSON.stringify(one.input).replaceAll("@HOME@", home).replaceAll("@USER@", basename(home)),
    );
    const cwd = join(home, "app");
    const event = { event: "tool_call", tool: one.tool, input, cwd, tama: { harness: one.harness ?? "omp" } };
    const load = factLoader({
      tamaHome: join(home, ".tama"),
      userHome: home,
      cwd,
      environment: { HOME: home },
      clock: systemClock,
    });
    const ending = await runGate("block-gate-tampering", JSON.stringify(event), load);
    expect([ending.code, ending.code === 70 ? ending.stderr : ""]).toEqual([one.expect === "pass" ? 0 : 2, ""]);
  });
}

test("at least fifty cases, of both verdicts", () => {
  expect(cases.length).toBeGreaterThanOrEqual(50);
  expect(cases.filter(({ expect: verdict }) => verdict === "pass").length).toBeGreaterThanOrEqual(20);
});
