// `bun run try`: from a fresh clone to the product at work, in one word.

import { build, productPath } from "../build.ts";
import { ensureInstalled, projectRoot, withoutTakeover } from "./installed.ts";

const bun = await ensureInstalled(projectRoot);
const outfile = productPath(projectRoot);
await build({ root: projectRoot, bun, target: null, outfile });
const shown = Bun.spawn([outfile, "try", ...process.argv.slice(2)], {
  env: withoutTakeover(process.env),
  stdio: ["inherit", "inherit", "inherit"],
});
process.exitCode = await shown.exited;
