import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brokenTrinities, type GateFiles } from "./trinity.ts";

const root = join(import.meta.dir, "../..");

test("every gate has its declaration and its test, every declared gate its function", () => {
  const declared = [...new Bun.Glob("hook-declarations/**/*.json").scanSync({ cwd: root })].sort();
  const found = brokenTrinities({
    gates: [...new Bun.Glob("src/gates/**/*.{ts,tsx}").scanSync({ cwd: root })].sort(),
    declarations: declared.map((path) => ({ path, content: JSON.parse(readFileSync(join(root, path), "utf8")) })),
  });
  expect(found.join("\n")).toBe("");
});

const whole: GateFiles = {
  gates: ["src/gates/gate.ts", "src/gates/answers/short.ts", "src/gates/answers/short.test.ts"],
  declarations: [
    { path: "hook-declarations/answers/short.json", content: { id: "short", program: { gate: "short" } } },
    { path: "hook-declarations/answers/mine.json", content: { id: "mine", program: { command: ["./mine"] } } },
  ],
};
const without = (path: string): GateFiles => ({
  gates: whole.gates.filter((one) => one !== path),
  declarations: whole.declarations.filter((one) => one.path !== path),
});

test("a whole gate is content, each missing part is named", () => {
  expect(brokenTrinities(whole)).toEqual([]);
  for (const part of ["hook-declarations/answers/short.json", "src/gates/answers/short.test.ts"]) {
    expect(brokenTrinities(without(part))).toEqual([`src/gates/answers/short.ts: there is no ${part}`]);
  }
  expect(brokenTrinities(without("src/gates/answers/short.ts"))).toEqual([
    "hook-declarations/answers/short.json: there is no src/gates/answers/short.ts",
  ]);
});

test("a declaration names itself and its own gate", () => {
  const path = "hook-declarations/answers/short.json";
  const told = (content: unknown): string => brokenTrinities({ ...whole, declarations: [{ path, content }] }).join();
  expect(told({ id: "long", program: { gate: "short" } })).toContain(`its id is not "short"`);
  expect(told({ id: "short", program: { gate: "long" } })).toContain(`its program is not the gate "short"`);
});
