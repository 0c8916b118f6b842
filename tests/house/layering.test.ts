import { expect, test } from "bun:test";
import { join } from "node:path";
import { brokenFloors } from "./floors.ts";
import { importsOf } from "./imports.ts";
import { misplacedPowers } from "./powers.ts";
import { readSources, source } from "./sources.ts";

const sources = readSources(join(import.meta.dir, "../.."), ["src"]);

test("imports only go down", () => {
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.flatMap(brokenFloors).join("\n")).toBe("");
});

test("each power stays in its room", () => {
  expect(sources.flatMap(misplacedPowers).join("\n")).toBe("");
});

// Each rule is given something it must find, and its nearest neighbour that it must not.

const floorsBroken: readonly [path: string, text: string, says: string | null][] = [
  ["src/base/ids.ts", `import { a } from "../disk/a.ts";`, "disk (floor 2) stands above base (floor 0)"],
  ["src/disk/a.ts", `import type { A } from "../calls/a.ts";`, "calls (floor 2) stands beside disk (floor 2)"],
  ["src/disk/a.ts", `export type { A } from "../core/a.ts";`, "core (floor 6) stands above disk"],
  ["src/disk/a.ts", `export * from "../core/a.ts";`, "core (floor 6) stands above disk"],
  ["src/disk/a.ts", `const a = await import("../core/a.ts");`, "core (floor 6) stands above disk"],
  ["src/disk/a.ts", `type A = import("../core/a.ts").A;`, "core (floor 6) stands above disk"],
  ["src/disk/a.ts", `import "../core/a.ts";`, "core (floor 6) stands above disk"],
  ["src/disk/a.ts", `import {\n  a,\n  type B,\n} from "../core/a.ts";`, "core (floor 6) stands above disk"],
  ["src/disk/a.test.ts", `import { a } from "../core/a.ts";`, "core (floor 6) stands above disk"],
  ["src/attic/a.ts", "", `there is no room "attic"`],
  ["src/core/a.ts", `import { a } from "../attic/a.ts";`, `there is no room "attic"`],
  ["src/core/a.ts", `import { a } from "../../tests/a.ts";`, "it leaves src/"],
  ["src/core/a.test.ts", `import { a } from "../../tests/a.ts";`, null],
  ["src/core/a.ts", `import { a } from "../disk/a.ts"; import { b } from "./b.ts";`, null],
  ["src/core/a.ts", `import { version } from "../../package.json";`, null],
  ["src/core/a.ts", `// import { a } from "../cli/a.ts";`, null],
  ["src/core/a.ts", `say('import { a } from "../cli/a.ts"');`, null],
  ["src/base/a.ts", `import * as v from "valibot";`, "valibot belongs in"],
  ["src/words/a.ts", `import * as v from "valibot";`, null],
  ["src/core/a.ts", `import { consola } from "consola";`, "consola belongs in src/cli, src/base/log.ts"],
  ["src/core/a.ts", `import pad from "left-pad/lib/pad.js";`, "the package left-pad has no row"],
];

for (const [path, text, says] of floorsBroken) {
  test(`floors: ${path} ${text.replaceAll("\n", " ")} ${says === null ? "stands" : "falls"}`, () => {
    const found = brokenFloors(source(path, text)).join("\n");
    if (says === null) expect(found).toBe("");
    else expect(found).toContain(says);
  });
}

const powersMisplaced: readonly [path: string, text: string, says: string | null][] = [
  ["src/core/a.ts", `Bun.spawn(["true"]);`, "has Bun.spawn: starting or ending processes belongs in src/process/"],
  ["src/core/a.ts", "process.kill(1, 9);", "belongs in src/process/"],
  ["src/core/a.ts", `import { dlopen } from "bun:ffi";`, "imports dlopen of bun:ffi"],
  ["src/core/a.ts", `import { spawn } from "node:child_process";`, "belongs in src/process/"],
  ["src/process/a.ts", `Bun.spawn(["true"]);`, null],
  ["src/core/a.ts", `import { writeFileSync } from "node:fs";`, "imports writeFileSync of node:fs"],
  ["src/core/a.ts", `import * as fs from "node:fs";`, "imports all of node:fs"],
  ["src/core/a.ts", `import fs from "node:fs";`, "imports all of node:fs"],
  ["src/core/a.ts", `const { open } = await import("node:fs/promises");`, "imports all of node:fs/promises"],
  ["src/core/a.ts", `import { existsSync, type Stats } from "node:fs";`, null],
  ["src/core/a.ts", `import type { Stats } from "node:fs";`, null],
  ["src/core/a.ts", `await Bun.write("a", "b");`, "has Bun.write"],
  ["src/transcript/a.ts", `import { openSync, readSync } from "node:fs";`, null],
  ["src/transcript/a.ts", `import { renameSync } from "node:fs";`, "imports renameSync of node:fs"],
  ["src/transcript/a.ts", `await Bun.write("a", "b");`, "has Bun.write"],
  ["src/base/descriptors.ts", `import { openSync, writeSync } from "node:fs";`, "imports openSync of node:fs"],
  ["src/core/a.ts", `await fetch("x");`, "has fetch(: the network belongs in src/judge/, src/desktop/"],
  ["src/core/a.ts", `store.fetch("x"); import type { Server } from "node:http";`, null],
  ["src/core/a.ts", "const home = process.env;", "has process.env"],
  ["src/core/a.ts", "process.exitCode = 1;", "has process.exitCode"],
  ["src/main.ts", "process.exitCode = Number(process.argv[2]);", null],
  ["src/main.ts", "process.exit(1);", "nowhere in src/"],
  ["src/core/a.ts", `console.log("a");`, "has console.: console belongs nowhere in src/"],
  ["src/core/a.ts", "// console.log\nsay('process.exit');", null],
  ["src/core/a.ts", "const at = new Date();", "the clock belongs in src/base/clock.ts"],
  ["src/core/a.ts", "const at = new Date(text);", null],
  ["src/core/a.ts", "setTimeout(stop, 5);", "has setTimeout("],
  ["src/core/a.ts", "const x = Math.random();", "chance belongs in"],
  ["src/core/a.ts", `import { createHash, randomBytes } from "node:crypto";`, "imports randomBytes of node:crypto"],
  ["src/core/a.ts", `import { createHash } from "node:crypto";`, null],
  ["src/core/a.ts", "const { spawn } = Bun;", "a power under another name"],
  ["src/core/a.ts", `Bun["spawn"](["true"]);`, "a power under another name"],
  ["src/core/a.ts", `import { $ } from "bun";`, "a power under another name"],
  ["src/core/a.ts", "const process = start(); use(Bun.version, process.pid);", null],
  ["src/core/a.test.ts", `Bun.spawn(["true"]); process.exit(1);`, null],
  ["src/harness/omp/extension/a.ts", `import { spawn } from "node:child_process"; spawn(process.env.A);`, null],
  ["src/harness/omp/extension/a.ts", `import { a } from "./b.ts";`, null],
  ["src/harness/pi/extension/a.ts", `import { a } from "../../omp/extension/b.ts";`, null],
  ["src/harness/pi/extension/a.ts", `import { a } from "../../omp/install.ts";`, "only node: modules"],
  ["src/harness/omp/extension/a.ts", `import { a } from "../../../base/ids.ts";`, "only node: modules"],
];

for (const [path, text, says] of powersMisplaced) {
  test(`powers: ${path} ${text.replaceAll("\n", " ")} ${says === null ? "stands" : "falls"}`, () => {
    const found = misplacedPowers(source(path, text)).join("\n");
    if (says === null) expect(found).toBe("");
    else expect(found).toContain(says);
  });
}

test("an import's line and names are told", () => {
  const [first, second] = importsOf(
    source("src/core/a.ts", `\nimport { a as b, type C } from "./x.ts";\nimport "./y.ts";`),
  );
  expect(first).toEqual({
    specifier: "./x.ts",
    path: "src/core/x.ts",
    names: ["a"],
    typeOnly: false,
    lazy: false,
    line: 2,
  });
  expect(second).toMatchObject({ specifier: "./y.ts", path: "src/core/y.ts", names: [], line: 3 });
});
