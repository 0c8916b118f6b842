import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wantedGroups } from "./entries.ts";
import { pluginFiles } from "./plugin.ts";

const root = join(import.meta.dir, "../../..");

test("the plugin's files stand in the tree as they are made: bun run workshop/claude-plugin.ts writes them anew", () => {
  for (const [path, text] of pluginFiles())
    expect([path, readFileSync(join(root, path), "utf8")]).toEqual([path, text]);
});

test("the plugin hears the events the settings do, with the same matchers and limits", () => {
  const [, hooks] = [...pluginFiles()].find(([path]) => path.endsWith("hooks.json")) ?? [];
  const bare = (groups: object): unknown =>
    JSON.parse(JSON.stringify(groups, (key, value: unknown) => (key === "command" ? undefined : value)));
  const ofSettings = Object.fromEntries([...wantedGroups("/x/tama")].map(([event, group]) => [event, [group]]));
  expect(bare(JSON.parse(hooks ?? "{}").hooks)).toEqual(bare(ofSettings));
});
