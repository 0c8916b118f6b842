// `bun run build [--target <target>|all] [--outfile <file>]`: one file that holds Bun and Tama.
//
// A bytecode build can be broken and still exit 0, so the product is run before it gets its name; a foreign one is
// looked at. It is made beside its place and renamed, so that a test running meanwhile sees the old file or the new.
// Building in one place twice gives the same bytes; a build takes half a second, so nothing is skipped.

import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { endChildrenOnSignal, runChild } from "./workshop/child.ts";
import { ensureInstalled, productVersion, projectRoot } from "./workshop/installed.ts";

export const flags = [
  "--compile",
  "--bytecode",
  "--format=esm",
  "--minify",
  "--splitting",
  // Each small chunk costs a start about 0.1 ms; folding them costs a command a few kilobytes it does not need (measured).
  "--min-chunk-size=32768",
  // Without a hash in its name nothing is folded into the file that every command starts with.
  "--entry-naming=[name]-[hash].[ext]",
  "--reject-unresolved",
  // Most processes of the product end after milliseconds: a function runs a hundred times as often before it is compiled.
  // A core takes that back (src/process/long-lived.ts).
  "--compile-jit-policy=100",
  // The product runs in folders nobody vouched for: none of their files may configure it.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
  "--compile-exec-argv=--disallow-code-generation-from-strings=strict",
] as const;

const machines = {
  x64: { elf: 0x3e, macho: 0x01000007 },
  arm64: { elf: 0xb7, macho: 0x0100000c },
} as const;

const targets = [
  { name: "linux-x64", system: "linux", machine: "x64", loader: "ld-linux" },
  { name: "linux-arm64", system: "linux", machine: "arm64", loader: "ld-linux" },
  { name: "linux-x64-musl", system: "linux", machine: "x64", loader: "ld-musl" },
  { name: "linux-arm64-musl", system: "linux", machine: "arm64", loader: "ld-musl" },
  { name: "darwin-x64", system: "darwin", machine: "x64", loader: "" },
  { name: "darwin-arm64", system: "darwin", machine: "arm64", loader: "" },
] as const;

type Target = (typeof targets)[number];

export interface Build {
  readonly root: string;
  readonly bun: string;
  /** null = this machine. */
  readonly target: Target | null;
  /** Absolute; replaced by rename. */
  readonly outfile: string;
}

/** Where the product of this machine lies, absolute. */
export function productPath(root: string): string {
  return join(root, "dist", "tama");
}

/** Builds, proves and places one product; throws an Error that says which of these failed, leaving an older one as it was. */
export async function build({ root, bun, target, outfile }: Build): Promise<void> {
  mkdirSync(dirname(outfile), { recursive: true });
  // Beside its place, because a rename does not cross file systems; under its own name, because it is compiled in.
  const folder = mkdtempSync(join(dirname(outfile), ".building-"));
  const made = join(folder, "tama");
  try {
    const forTarget = target === null ? [] : [`--target=bun-${target.name}`];
    const ended = await runChild({
      // Relative to the root, so that the same source gives the same bytes wherever it lies.
      command: [bun, "build", ...flags, ...forTarget, "src/main.ts", "--outfile", relative(root, made)],
      cwd: root,
      limit: 300_000,
    });
    if (ended.code !== 0)
      throw new Error(`the compiler failed (${ended.signal ?? `exit ${ended.code}`}):\n${ended.output}`);
    if (target !== null) await lookAt(made, target);
    if (target === null || target.name === `${process.platform}-${process.arch}`) {
      await prove(made, await productVersion(root));
    }
    renameSync(made, outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Runs it where nothing of the project is near: a binary that still needs its source would find none.
async function prove(product: string, version: string): Promise<void> {
  const empty = mkdtempSync(join(tmpdir(), "tama-build-"));
  try {
    const ended = await runChild({ command: [product, "--version"], cwd: empty, limit: 30_000 });
    if (ended.code === 0 && ended.output === `${version}\n`) return;
    const how = ended.overran ? "hung" : (ended.signal ?? `exit ${ended.code}`);
    throw new Error(`the product does not run: --version gave ${how} and "${ended.output}", not "${version}"`);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

async function lookAt(product: string, target: Target): Promise<void> {
  const head = new DataView(await Bun.file(product).slice(0, 4096).arrayBuffer());
  const elf = head.getUint32(0) === 0x7f454c46;
  const macho = head.getUint32(0, true) === 0xfeedfacf;
  const system = elf ? "linux" : macho ? "darwin" : "unknown";
  const machine = elf ? head.getUint16(18, true) : head.getUint32(4, true);
  const wanted = elf ? machines[target.machine].elf : machines[target.machine].macho;
  const text = Buffer.from(head.buffer).toString("latin1");
  if (system !== target.system || machine !== wanted || !text.includes(target.loader)) {
    throw new Error(`the product is not for ${target.name}: it is for ${system}, machine 0x${machine.toString(16)}`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: "string" }, outfile: { type: "string" } } });
  const wanted =
    values.target === undefined ? [null] : targets.filter(({ name }) => ["all", name].includes(values.target ?? ""));
  if (wanted.length === 0) {
    throw new Error(`no target ${values.target}; there are all, ${targets.map(({ name }) => name).join(", ")}`);
  }
  if (values.outfile !== undefined && wanted.length > 1) throw new Error("--outfile takes one target");
  const bun = await ensureInstalled(projectRoot);
  for (const target of wanted) {
    const usual = target === null ? productPath(projectRoot) : `${productPath(projectRoot)}-${target.name}`;
    const outfile = values.outfile === undefined ? usual : resolve(values.outfile);
    const started = performance.now();
    await build({ root: projectRoot, bun, target, outfile });
    const megabytes = (Bun.file(outfile).size / 1e6).toFixed(1);
    console.log(`${outfile}  ${megabytes} MB  ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}

if (import.meta.main) {
  endChildrenOnSignal();
  try {
    await main();
  } catch (cause) {
    console.error(`build: ${cause instanceof Error ? cause.message : cause}`);
    process.exitCode = 1;
  }
}
