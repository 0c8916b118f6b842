// `bun run check`: the four judges of the source, at once, since each leaves a core idle part of its time.

import { join } from "node:path";
import { endChildrenOnSignal, runChild } from "./child.ts";
import { ensureInstalled, projectRoot } from "./installed.ts";
import { runSuite, type Suite, type SuiteResult } from "./suite.ts";

export interface ToolResult {
  readonly tool: string;
  readonly ok: boolean;
  readonly output: string;
  readonly ms: number;
}

export interface CheckResult {
  readonly tools: readonly ToolResult[];
  readonly house: SuiteResult;
}

export const houseSuite: Suite = {
  name: "house",
  folders: ["tests/house", "tests/clients", "workshop"],
  limitMinutes: 2,
  slow: false,
};

const tools: readonly { tool: string; args: readonly string[] }[] = [
  { tool: "biome", args: ["@biomejs/biome/bin/biome", "check", "--error-on-warnings", "--max-diagnostics=50"] },
  { tool: "tsc", args: ["typescript/bin/tsc", "--noEmit", "--pretty", "false", "-p", "."] },
  { tool: "knip", args: ["knip/bin/knip.js", "--no-progress"] },
];

/** Runs Biome, tsc, knip and the house tests at once; `say` gets one line as each ends. */
export async function runCheck(root: string, bun: string, say: (line: string) => void): Promise<CheckResult> {
  const told = async <Result>(pending: Promise<Result>, line: (result: Result) => string): Promise<Result> => {
    const result = await pending;
    say(line(result));
    return result;
  };
  const house = told(runSuite(houseSuite, { root, bun, env: {}, paths: [], testName: null, say }), (result) =>
    timed("house", isGood(result), result.ms, `${result.passed} tests passed, ${result.failed} failed`),
  );
  const ran = await Promise.all(
    tools.map(({ tool, args }) =>
      told(runTool(root, bun, tool, args), (result) => timed(tool, result.ok, result.ms, "")),
    ),
  );
  return { tools: ran, house: await house };
}

/** What failed, in full; empty when nothing did. */
export function failedOutput({ tools: ran, house }: CheckResult): string {
  const parts = ran.filter((tool) => !tool.ok).map((tool) => `— ${tool.tool} —\n${tool.output.trim()}`);
  if (!isGood(house)) parts.push(`— house —\n${[...house.problems, withoutPasses(house.output)].join("\n").trim()}`);
  return parts.join("\n\n");
}

/** A runner's output without the tests that passed at once, and without the files in which all did. */
export function withoutPasses(output: string): string {
  return output
    .split("\n")
    .filter((line) => !line.startsWith("(pass) ") || line.includes(" (attempt "))
    .join("\n")
    .replace(/^\S+\.test\.tsx?:\n(?=\s*\n|$)/gm, "")
    .replace(/\n{3,}/g, "\n\n");
}

/** True when a suite ran at least one test and nothing in it failed or did not add up. */
export function isGood(result: SuiteResult): boolean {
  return result.passed > 0 && result.failed === 0 && result.problems.length === 0;
}

async function runTool(root: string, bun: string, tool: string, args: readonly string[]): Promise<ToolResult> {
  const [program = "", ...rest] = args;
  const ended = await runChild({
    // The tools' launchers are JavaScript for Node; Bun runs them, so that a machine without Node can check too.
    command: [bun, "--bun", join(root, "node_modules", program), ...rest],
    cwd: root,
    env: { NO_COLOR: "1" },
    limit: 120_000,
  });
  const note = ended.overran ? "\nended after 120 s" : "";
  return { tool, ok: ended.code === 0, output: ended.output + note, ms: ended.ms };
}

function timed(name: string, ok: boolean, ms: number, more: string): string {
  const line = `${name.padEnd(6)} ${ok ? "ok    " : "FAILED"} ${(ms / 1000).toFixed(1).padStart(5)} s`;
  return more === "" ? line : `${line}  ${more}`;
}

if (import.meta.main) {
  endChildrenOnSignal();
  const bun = await ensureInstalled(projectRoot);
  const result = await runCheck(projectRoot, bun, (line) => console.log(line));
  const failed = failedOutput(result);
  if (failed !== "") {
    console.log(`\n${failed}`);
    process.exitCode = 1;
  }
}
