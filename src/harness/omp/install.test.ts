import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPlan, readThroughLinks } from "../apply-plan.ts";
import type { Ended, Machine } from "../harness.ts";
import { extensionText, omp, ownHeader } from "./install.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tama-omp-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const machine = (more: Partial<Machine> = {}): Machine => ({
  binary: "/opt/tama/tama",
  release: "1.2.3",
  home,
  environment: {},
  which: () => null,
  run: () => Promise.reject(new Error("not asked")),
  read: readThroughLinks,
  ...more,
});
const file = () => join(home, ".omp/agent/extensions/tama.ts");

async function install(more?: Partial<Machine>): Promise<readonly string[]> {
  const plan = await omp.planInstall(machine(more));
  if (!plan.ok) throw new Error(plan.cause);
  const applied = applyPlan(plan.value);
  if (!applied.ok) throw new Error(applied.cause);
  return applied.value;
}

test("installing twice writes once, and uninstalling leaves the home as it was", async () => {
  mkdirSync(join(home, ".omp"));
  expect(await install()).toEqual([file()]);
  expect(readFileSync(file(), "utf8")).toStartWith(`${ownHeader}\n`);
  expect(await install()).toEqual([]);
  const plan = await omp.planUninstall(machine());
  if (!plan.ok) throw new Error(plan.cause);
  expect(applyPlan(plan.value)).toEqual({ ok: true, value: [file()] });
  expect(existsSync(join(home, ".omp"))).toBe(true);
  expect(existsSync(join(home, ".omp/agent"))).toBe(false);
});

test("another release replaces the file and remembers the folders the first one made", async () => {
  await install();
  expect(await install({ release: "1.2.4" })).toEqual([file()]);
  const plan = await omp.planUninstall(machine());
  if (!plan.ok) throw new Error(plan.cause);
  applyPlan(plan.value);
  expect(existsSync(join(home, ".omp"))).toBe(false);
});

test("a file that is not Tama's is refused and untouched, both ways", async () => {
  mkdirSync(join(home, ".omp/agent/extensions"), { recursive: true });
  writeFileSync(file(), "export default () => {};\n");
  for (const plan of [await omp.planInstall(machine()), await omp.planUninstall(machine())]) {
    expect(plan.ok ? "" : plan.cause).toContain(`${file()} is not Tama's`);
  }
  expect(readFileSync(file(), "utf8")).toBe("export default () => {};\n");
});

test("without OMP nothing is asked, and PI_CODING_AGENT_DIR counts", async () => {
  expect(await install({ environment: { PI_CODING_AGENT_DIR: join(home, "agent") } })).toEqual([
    join(home, "agent/extensions/tama.ts"),
  ]);
});

const says = (ended: Partial<Ended>): Partial<Machine> => ({
  which: () => "/bin/omp",
  run: async () => ({ ok: true, value: { code: 0, stdout: "", stderr: "", ...ended } }),
});

test("OMP's own word for its folder is taken", async () => {
  expect(await install(says({ stdout: `${join(home, "profile")}\n` }))).toEqual([
    join(home, "profile/extensions/tama.ts"),
  ]);
});

test("an OMP that does not name its folder stops the plan", async () => {
  for (const ended of [
    { code: 1, stderr: "broken" },
    { stdout: "" },
    { stdout: "relative" },
    { code: null, stdout: "/x" },
  ]) {
    const plan = await omp.planInstall(machine(says(ended)));
    expect(plan.ok ? "" : plan.cause).toContain("did not name OMP's folder");
  }
});

test("no path can leave the string it stands in", async () => {
  const binary = `/we"ird/$&\\n\u2028\`/tama`;
  const text = extensionText({ binary, release: "1" });
  const written = join(home, "tama.ts");
  writeFileSync(written, `${text}\nexport const seen = installed.binary;\n`);
  expect((await import(written)).seen).toBe(binary);
});
