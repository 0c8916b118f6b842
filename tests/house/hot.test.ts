import { expect, test } from "bun:test";
import { join } from "node:path";
import { heavyAtStart } from "./hot.ts";
import { readSources, source } from "./sources.ts";

test("no hot command loads a renderer at its start", () => {
  const sources = readSources(join(import.meta.dir, "../.."), ["src"]);
  expect(heavyAtStart(sources).join("\n")).toBe("");
});

test("hot: follows what is loaded with a file, and only that", () => {
  const main = source("src/main.ts", `import { run } from "./cli/run.ts";`);
  const run = (text: string): string => heavyAtStart([main, source("src/cli/run.ts", text)]).join();
  expect(run(`import { consola } from "consola";`)).toBe(
    "src/main.ts → src/cli/run.ts loads consola; import it where it is used",
  );
  expect(run(`import { renderUsage } from "citty";`)).toContain("loads citty");
  expect(run(`import { parseArgs } from "node:util";`)).toContain("loads node:util");
  expect(run(`const { consola } = await import("consola");`)).toBe("");
  expect(run(`import type { ConsolaInstance } from "consola"; import * as v from "valibot";`)).toBe("");
  expect(heavyAtStart([source("src/cli/status.ts", `import { consola } from "consola";`)])).toEqual([]);
  expect(heavyAtStart([source("src/cli/calls-retry.ts", `import "consola";`)])).toHaveLength(1);
});
