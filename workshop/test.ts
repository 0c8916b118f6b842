// `bun run test [--only <suite>,…] [--scale N] [-t <name>] [<part of a path> …]`: what README and CI call. It installs,
// builds, checks, runs the suites one after another, and closes with the counts of the test runner itself.

import { parseArgs } from "node:util";
import { build, productPath } from "../build.ts";
import { type CheckResult, failedOutput, houseSuite, runCheck, withoutPasses } from "./check.ts";
import { endChildrenOnSignal } from "./child.ts";
import { ensureInstalled, projectRoot } from "./installed.ts";
import { runSuite, type Suite, type SuiteResult } from "./suite.ts";

// Together under the hour and a half that CI has. A suite without a test fails: take it out of here if that is meant.
const suites: readonly Suite[] = [
  { name: "unit", folders: ["src"], limitMinutes: 10, slow: false },
  { name: "cases", folders: ["tests/cases"], limitMinutes: 10, slow: false },
  { name: "journeys", folders: ["tests/journeys"], limitMinutes: 45, slow: true },
  { name: "faults", folders: ["tests/faults"], limitMinutes: 30, slow: true },
];

interface Totals {
  passed: number;
  failed: number;
  readonly skipped: string[];
  /** Everything that counts as failed, by name. */
  readonly failures: string[];
  /** What passed only when it was tried again, by name. */
  readonly unsteady: string[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true },
    scale: { type: "string" },
    "test-name-pattern": { type: "string", short: "t" },
  },
});

endChildrenOnSignal();
const totals: Totals = { passed: 0, failed: 0, skipped: [], failures: [], unsteady: [] };
try {
  await runAll(totals);
} catch (cause) {
  fail(totals, cause instanceof Error ? cause.message : String(cause));
}
close(totals);

async function runAll(to: Totals): Promise<void> {
  const only = (values.only ?? []).flatMap((names) => names.split(","));
  const unknown = only.filter((name) => name !== "check" && !suites.some((suite) => suite.name === name));
  const names = ["check", ...suites.map((suite) => suite.name)].join(", ");
  if (unknown.length > 0) throw new Error(`no suite ${unknown.join(", ")}; there are ${names}`);
  const scale = values.scale ?? process.env["TAMA_TEST_SCALE"] ?? "20";
  if (!/^[1-9]\d*$/.test(scale)) throw new Error(`--scale takes a whole number from 1 up, not "${scale}"`);

  const bun = await ensureInstalled(projectRoot);
  const binary = productPath(projectRoot);
  const isBuilt = await buildFor(to, bun, binary);
  const filtered = positionals.length > 0 || values["test-name-pattern"] !== undefined;
  if (only.length === 0 ? !filtered : only.includes("check")) takeCheck(to, await runCheck(projectRoot, bun, say));
  for (const suite of suites) {
    if (only.length > 0 && !only.includes(suite.name)) continue;
    if (!isBuilt && suite.slow) {
      fail(to, `${suite.name}: not run, since there is no product to run`);
      continue;
    }
    const result = await runSuite(suite, {
      root: projectRoot,
      bun,
      env: { TAMA_TEST_BINARY: binary, TAMA_TEST_SCALE: scale },
      paths: positionals,
      testName: values["test-name-pattern"] ?? null,
      say,
    });
    takeSuite(to, result);
    const isBad = result.failed > 0 || result.problems.length > 0 || result.unsteady.length > 0;
    if (isBad && result.run) console.log(`\n${withoutPasses(result.output).trim()}\n`);
  }
}

// A product that does not build still lets the source be checked and the units be tested.
async function buildFor(to: Totals, bun: string, binary: string): Promise<boolean> {
  try {
    await build({ root: projectRoot, bun, target: null, outfile: binary });
    say(`built ${binary}`);
    return true;
  } catch (cause) {
    console.log(`build    FAILED\n${cause instanceof Error ? cause.message : cause}`);
    fail(to, "build: there is no product");
    return false;
  }
}

function takeCheck(to: Totals, result: CheckResult): void {
  for (const tool of result.tools) {
    if (tool.ok) to.passed += 1;
    else fail(to, `check: ${tool.tool} is not content`);
  }
  takeSuite(to, result.house);
  const failed = failedOutput(result);
  if (failed !== "") console.log(`\n${failed}\n`);
}

function takeSuite(to: Totals, result: SuiteResult): void {
  to.passed += result.passed;
  to.failed += result.failed;
  to.skipped.push(...result.skipped);
  to.failures.push(...result.failures);
  to.unsteady.push(...result.unsteady.map((name) => `${result.suite}: ${name}`));
  for (const problem of result.problems) fail(to, `${result.suite}: ${problem}`);
  if (!result.run || result.suite === houseSuite.name) return;
  const counts = `${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped`;
  say(`${result.suite.padEnd(8)} ${counts}  ${(result.ms / 1000).toFixed(1)} s`);
}

function fail(to: Totals, what: string): void {
  to.failed += 1;
  to.failures.push(what);
}

function close(to: Totals): void {
  if (to.passed + to.failed === 0) fail(to, "no test was run");
  if (to.skipped.length > 0) console.log(`\nSkipped, each with its reason:\n${list(to.skipped)}`);
  if (to.unsteady.length > 0) console.log(`\nUnsteady, failed once and passed when tried again:\n${list(to.unsteady)}`);
  if (to.failures.length > 0) console.log(`\nFailed:\n${list(to.failures)}`);
  console.log(
    "\nCounted: each test of the runner; Biome, tsc and knip as one each; a run that does not add up as failed.",
  );
  console.log(`${to.passed} passed, ${to.failed} failed, ${to.skipped.length} skipped`);
  if (to.failed > 0) process.exitCode = 1;
}

function list(names: readonly string[]): string {
  return names.map((name) => `  ${name}`).join("\n");
}

function say(line: string): void {
  console.log(line);
}
