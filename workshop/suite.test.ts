import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isGood } from "./check.ts";
import { runSuite, type SuiteResult, testFiles } from "./suite.ts";

// Each test writes a small suite into a folder and runs the real runner on it: a runner that cannot fail proves nothing.

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tama-suite-test-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Given {
  readonly files: Record<string, string>;
  readonly limitMinutes?: number;
  readonly paths?: string[];
  readonly testName?: string;
}

let count = 0;
async function ran({ files, limitMinutes = 1, paths = [], testName }: Given): Promise<SuiteResult> {
  count += 1;
  const folder = `case-${count}`;
  mkdirSync(join(root, folder));
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(root, folder, name), `import { describe, test } from "bun:test";\n${body}`);
  }
  const suite = { name: "sample", folders: [folder], limitMinutes, slow: false };
  const say = (): void => {};
  return runSuite(suite, { root, bun: process.execPath, env: {}, paths, testName: testName ?? null, say });
}

test("counts what the runner counted, and names skips in the order of their blocks", async () => {
  const result = await ran({
    files: {
      "a.test.ts": `describe("outer", () => describe("inner", () => {
        test("fine", () => {});
        test.skip("far (skipped: no <registry>)", () => {});
      }));`,
    },
  });
  expect(result).toMatchObject({ passed: 1, failed: 0, problems: [], failures: [] });
  expect(result.skipped).toEqual([expect.stringContaining("a.test.ts: outer > inner > far (skipped: no <registry>)")]);
  expect(isGood(result)).toBe(true);
});

test("a failed test fails the suite by its name", async () => {
  const result = await ran({
    files: { "a.test.ts": `test("bad", () => { throw new Error("no"); }); test("fine", () => {});` },
  });
  expect(result).toMatchObject({ passed: 1, failed: 1, problems: [] });
  expect(result.failures.join()).toContain("a.test.ts: bad");
});

test("a test that asks to be tried twice is named as unsteady when it passes then, and has failed when it does not", async () => {
  const body = `let tries = 0;
    test("shaky", () => { tries += 1; if (tries === 1) throw new Error("the first time"); }, { retry: 1 });
    test("bad", () => { throw new Error("each time"); }, { retry: 1 });
    test("once", () => { throw new Error("at once"); }); test("fine", () => {});`;
  const result = await ran({ files: { "a.test.ts": body } });
  expect(result).toMatchObject({ passed: 2, failed: 2, unsteady: ["shaky"], problems: [] });
  expect(result.failures.join()).toContain("a.test.ts: bad");
  expect(result.output).toContain("the first time");
});

test("a file that does not load fails the suite, though JUnit does not know it", async () => {
  const result = await ran({
    files: { "a.test.ts": `test("fine", () => {});`, "b.test.ts": `throw new Error("does not load");` },
  });
  expect(isGood(result)).toBe(false);
  expect(result.failed).toBe(1);
});

test("process.exit(0) inside a test is no pass", async () => {
  const result = await ran({ files: { "a.test.ts": `test("leaves", () => process.exit(0));` } });
  expect(result.problems).toEqual([expect.stringContaining("the runner ended before it closed (exit 0)")]);
});

test("a runner killed by a signal is no pass", async () => {
  const result = await ran({ files: { "a.test.ts": `test("dies", () => process.kill(process.pid, "SIGKILL"));` } });
  expect(result.problems).toEqual([expect.stringContaining("SIGKILL")]);
});

test("a hung suite is ended with all it started", async () => {
  const result = await ran({
    files: {
      "a.test.ts": `test("hangs", async () => {
        const child = Bun.spawn(["sleep", "600"]);
        console.log("child " + child.pid);
        await child.exited;
      }, 600_000);`,
    },
    limitMinutes: 1.5 / 60,
  });
  expect(result.problems).toEqual([expect.stringContaining("hung")]);
  const child = Number(/child (\d+)/.exec(result.output)?.[1]);
  expect(child).toBeGreaterThan(0);
  while (isListed(child)) await Bun.sleep(5);
});

// A killed process stays listed as a zombie until its new parent takes note of it.
function isListed(pid: number): boolean {
  const state = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .trim();
  return state !== "" && !state.startsWith("Z");
}

test("a skip without a reason, a suite without a test and tests that a report lacks are problems", async () => {
  const skips = await ran({ files: { "a.test.ts": `test.skip("why", () => {}); test("fine", () => {});` } });
  expect(skips.problems).toEqual([expect.stringContaining("skipped without a reason")]);
  const empty = await ran({ files: {} });
  expect(empty.problems).toEqual([expect.stringContaining("no *.test.ts there")]);
  expect(isGood(empty)).toBe(false);
});

test("filters by path and by name, and what they leave out counts nowhere", async () => {
  const files = { "a.test.ts": `test("one", () => {}); test("two", () => {});`, "b.test.ts": `test("one", () => {});` };
  expect(await ran({ files, paths: ["b.test"] })).toMatchObject({ passed: 1, skipped: [], problems: [] });
  expect(await ran({ files, testName: "two" })).toMatchObject({ passed: 1, skipped: [], problems: [] });
  expect(await ran({ files, testName: "three" })).toMatchObject({ run: false, passed: 0, problems: [] });
  expect(await ran({ files, paths: ["elsewhere"] })).toMatchObject({ run: false, passed: 0, problems: [] });
});

test("finds the files of each folder, nested ones too, and nothing in a folder that is not there", () => {
  mkdirSync(join(root, "found", "deep"), { recursive: true });
  writeFileSync(join(root, "found", "deep", "x.test.ts"), "");
  writeFileSync(join(root, "found", "y.test.tsx"), "");
  writeFileSync(join(root, "found", "z.ts"), "");
  const expected = ["found/deep/x.test.ts", "found/y.test.tsx"];
  expect(testFiles(root, ["absent", "found"])).toEqual(expected);
  expect(testFiles(root, ["found/deep", "absent"])).toEqual(["found/deep/x.test.ts"]);
});
