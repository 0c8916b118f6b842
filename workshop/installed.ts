// The first step of every workshop command: a fresh clone has no node_modules, so nothing in this
// file, nor in what it imports, may come from there.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the project, absolute. */
export const projectRoot: string = dirname(import.meta.dir);

/** The version that package.json gives the product. */
export async function productVersion(root: string): Promise<string> {
  const { version } = (await Bun.file(join(root, "package.json")).json()) as { version: string };
  return version;
}

/**
 * Installs what bun.lock names where it is missing or stale, and returns the absolute path of the pinned Bun.
 * With everything in place it takes some milliseconds and asks no network. Throws an Error that quotes the installer.
 */
export async function ensureInstalled(root: string): Promise<string> {
  const fresh = !existsSync(join(root, "node_modules"));
  if (fresh) console.error("installing what bun.lock names …");
  const install = Bun.spawn([process.execPath, "install", "--frozen-lockfile"], {
    cwd: root,
    env: withoutTakeover(process.env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    Bun.readableStreamToText(install.stdout),
    Bun.readableStreamToText(install.stderr),
    install.exited,
  ]);
  if (code !== 0) throw new Error(`the dependencies could not be installed (exit ${code}):\n${err}${out}`);
  return pinnedBun(root);
}

/**
 * An environment without the variables by which a person's shell could turn a Bun binary into something else
 * (BUN_OPTIONS, BUN_BE_BUN): a build or a test must not depend on them.
 */
export function withoutTakeover(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _beBun, ...kept } = env;
  return kept;
}

// The running Bun serves when it is the pinned version; another one only installs, and hands over to the pinned one.
async function pinnedBun(root: string): Promise<string> {
  const manifest = (await Bun.file(join(root, "package.json")).json()) as { devDependencies: { bun: string } };
  const wanted = manifest.devDependencies.bun;
  if (Bun.version === wanted) return process.execPath;
  const own = join(root, "node_modules", ".bin", "bun");
  const asked = Bun.spawnSync([own, "--version"], { env: withoutTakeover(process.env) });
  const found = asked.stdout.toString().trim();
  if (found !== wanted) {
    throw new Error(`${own} answers "${found}" where ${wanted} is pinned; remove node_modules and try again`);
  }
  return own;
}
