// One run of Bun's test runner, believed only as far as its own counts agree: JUnit knows each test but not a file
// that failed to load, the closing lines know that but not the names, and a runner that was killed or that called
// process.exit in a test leaves neither. Whatever does not add up is a problem, and a problem counts as a failure.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, runChild } from "./child.ts";
import { readClosing, readJunit, skipReason, type TestOutcome } from "./junit.ts";

export interface Suite {
  readonly name: string;
  /** Folders under the root; every *.test.ts(x) below them is run. */
  readonly folders: readonly string[];
  readonly limitMinutes: number;
  /** Slow suites show each test as it ends, the others one line now and then. */
  readonly slow: boolean;
}

export interface SuiteRun {
  readonly root: string;
  readonly bun: string;
  readonly env: Record<string, string>;
  /** Only files whose path holds one of these; empty = all. */
  readonly paths: readonly string[];
  /** Only tests whose name matches, as `bun test -t`. */
  readonly testName: string | null;
  readonly say: (line: string) => void;
}

export interface SuiteResult {
  readonly suite: string;
  /** false when the filter left no file of it. */
  readonly run: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly string[];
  readonly failures: readonly string[];
  /** Tests that failed, and passed when they were tried again, as one may that drives programs of others (tests/clients/limit.ts). */
  readonly unsteady: readonly string[];
  readonly problems: readonly string[];
  readonly output: string;
  readonly ms: number;
}

const perTestLimit = 120_000;

/** Runs a suite's test files in one process of Bun's runner. Never throws for what a test or the runner does. */
export async function runSuite(suite: Suite, run: SuiteRun): Promise<SuiteResult> {
  const all = testFiles(run.root, suite.folders);
  const files = run.paths.length === 0 ? all : all.filter((file) => run.paths.some((path) => file.includes(path)));
  if (all.length === 0) return nothingRan(suite, [`${suite.folders.join(", ")}: no *.test.ts there`]);
  if (files.length === 0) return nothingRan(suite, []);
  const folder = mkdtempSync(join(tmpdir(), "tama-suite-"));
  const report = join(folder, "junit.xml");
  const name = run.testName === null ? [] : ["-t", run.testName];
  const progress = progressOf(suite, run.say);
  try {
    const ended = await runChild({
      command: [
        run.bun,
        "test",
        `--timeout=${perTestLimit}`,
        "--reporter=junit",
        `--reporter-outfile=${report}`,
        ...name,
        ...files.map((file) => `./${file}`),
      ],
      cwd: run.root,
      env: run.env,
      limit: suite.limitMinutes * 60_000,
      onLine: progress.line,
    });
    if (run.testName !== null && /^error: regex .* matched 0 tests/m.test(ended.output)) return nothingRan(suite, []);
    const xml = (await Bun.file(report).exists()) ? await Bun.file(report).text() : "";
    return judge(suite, ended, readJunit(xml), files.length);
  } finally {
    progress.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The test files below the folders, relative to the root, sorted. */
export function testFiles(root: string, folders: readonly string[]): string[] {
  // One pattern a folder: Bun 1.4.5 finds nothing for an alternative that holds a slash.
  const globs = folders.map((folder) => new Bun.Glob(`${folder}/**/*.test.{ts,tsx}`));
  return globs.flatMap((glob) => [...glob.scanSync({ cwd: root, onlyFiles: true })]).sort();
}

function nothingRan(suite: Suite, problems: readonly string[]): SuiteResult {
  return {
    suite: suite.name,
    run: false,
    passed: 0,
    failed: 0,
    skipped: [],
    failures: [],
    unsteady: [],
    problems,
    output: "",
    ms: 0,
  };
}

function judge(suite: Suite, ended: Ended, tests: readonly TestOutcome[], files: number): SuiteResult {
  const closing = readClosing(ended.output);
  // A name filter makes JUnit list all that it left out as skipped; the console lists only real skips.
  const saidSkipped = new Set([...ended.output.matchAll(/^\((?:skip|todo)\) (.*)$/gm)].map((match) => match[1] ?? ""));
  const skipped = tests.filter((test) => test.outcome === "skipped" && saidSkipped.has(test.name));
  const failed = tests.filter((test) => test.outcome === "failed");
  const passed = tests.filter((test) => test.outcome === "passed").length;
  const failures = failed.map((test) => `${test.file}: ${test.name}`);
  const count = Math.max(failed.length, closing?.failed ?? 0);
  if (count > failed.length)
    failures.push(`${count - failed.length} outside any test (a file that does not load, a late error)`);
  const problems = skipped
    .filter((test) => skipReason(test.name) === null)
    .map((test) => `skipped without a reason in its name, "(skipped: …)": ${test.file}: ${test.name}`);
  if (ended.overran) problems.push(`hung: ended with its group after ${suite.limitMinutes} minutes`);
  else if (closing === null) problems.push(`the runner ended before it closed (${howItEnded(ended)})`);
  else if (closing.files !== files) problems.push(`${files} files were given, ${closing.files} were run`);
  else if (passed + count + skipped.length !== closing.ran) {
    problems.push(`the runner counted ${closing.ran} tests, its report holds ${passed + count + skipped.length}`);
  } else if (ended.code !== 0 && count === 0)
    problems.push(`no test failed, yet the runner did (${howItEnded(ended)})`);
  return {
    suite: suite.name,
    run: true,
    passed,
    failed: count,
    skipped: skipped.map((test) => `${test.file}: ${test.name}`),
    failures,
    unsteady: [...ended.output.matchAll(/^\(pass\) (.*) \(attempt \d+\)/gm)].map((match) => match[1] ?? ""),
    problems,
    output: ended.output,
    ms: ended.ms,
  };
}

function howItEnded(ended: Ended): string {
  return ended.signal === null ? `exit ${ended.code}` : ended.signal;
}

// Said every so often for a quick suite, for a slow one test by test.
function progressOf(suite: Suite, say: (line: string) => void): { line: (line: string) => void; end: () => void } {
  const started = performance.now();
  let tests = 0;
  let file = "";
  const clock = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    say(`${suite.name}: ${tests} tests in ${seconds} s, now ${file}`);
  }, 15_000);
  const line = (text: string): void => {
    if (/\.test\.tsx?:$/.test(text)) file = text.slice(0, -1);
    if (!/^\((pass|fail|skip|todo)\) /.test(text)) return;
    tests += 1;
    if (suite.slow) say(`${suite.name}: ${text}`);
  };
  return { line, end: () => clearInterval(clock) };
}
