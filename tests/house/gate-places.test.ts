import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { command as hooksDeclare } from "../../src/cli/hooks-declare.ts";
import { builtInDeclaration } from "../../src/gates/declarations.ts";
import { gateNamed } from "../../src/gates/gates.ts";
import { replayedGates } from "../../src/replay/gates-asked.ts";

const root = join(import.meta.dir, "../..");
const ids = [...new Bun.Glob("hook-declarations/**/*.json").scanSync({ cwd: root })]
  .filter((path) => "gate" in (JSON.parse(readFileSync(join(root, path), "utf8")).program ?? {}))
  .map((path) => basename(path, ".json"))
  .sort();

/** Every place that must know a gate besides its three files (docs/adding-a-gate.md); each line is what is left to do. */
test("every gate is named wherever a gate must be", async () => {
  const list = readFileSync(join(root, "docs/gates/README.md"), "utf8");
  const left: string[] = [];
  for (const id of ids) {
    const page = join(root, `docs/gates/${id}.md`);
    if ((await gateNamed(id))?.id !== id) left.push(`${id}: src/gates/gates.ts does not load it`);
    if (builtInDeclaration(id) === null) left.push(`${id}: src/gates/declarations.ts does not carry its declaration`);
    if (!replayedGates.includes(id)) left.push(`${id}: src/replay/gates-asked.ts does not replay it`);
    if (!existsSync(page) || !readFileSync(page, "utf8").startsWith(`# ${id}: `))
      left.push(`${id}: docs/gates/${id}.md is missing, or does not begin "# ${id}: "`);
    if (!list.includes(`[${id}](${id}.md)`)) left.push(`${id}: docs/gates/README.md has no row for it`);
    if (!String(Object(hooksDeclare.args["gate"]).description).includes(id))
      left.push(`${id}: tama hooks declare does not offer it`);
  }
  expect(left).toEqual([]);
  expect(ids.length).toBeGreaterThan(4);
});
