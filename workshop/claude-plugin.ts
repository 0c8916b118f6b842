// `bun run workshop/claude-plugin.ts`: writes the files of the Claude Code plugin anew, from the entries that `tama install` writes too.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pluginFiles } from "../src/harness/claude-code/plugin.ts";
import { projectRoot } from "./installed.ts";

for (const [path, text] of pluginFiles()) {
  const file = join(projectRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}
