// `bun tests/clients/install.ts`: brings the real clients that journeys drive into a cache outside the tree
// (TAMA_TEST_HARNESSES, else ~/.cache/tama-harnesses), from the npm registry, with npm where there is one, else with Bun.
//
// The tree of packages is made in a folder beside its place and renamed, so what stands in its place is whole. A stamp,
// written last, says that each client of this very tree was run and gave its version. A tree without a stamp (made by
// hand, or by an installer that died) is run first: if all answer it is stamped, else it is made anew.

import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { endChildrenOnSignal, runChild } from "../../workshop/child.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { pinned, printOf, whatIsWrong } from "./pinned.ts";

/** Absolute paths; `binFolder` goes first on the PATH of whatever starts a client. */
export interface Clients {
  readonly omp: string;
  readonly claude: string;
  readonly codex: string;
  readonly binFolder: string;
}

/** Why the clients cannot be had here: the registry is out of reach. A journey is skipped with this reason. */
export interface Unavailable {
  readonly unavailable: string;
}

/**
 * The clients, installed first where they are missing, or that the registry cannot be reached. Anything else that goes wrong (a version that is gone, a client
 * that does not start) is thrown: it must fail, not skip.
 */
export async function availableClients(): Promise<Clients | Unavailable> {
  return installed(cacheFolder(), { say, runAgain: false });
}

function cacheFolder(): string {
  return process.env["TAMA_TEST_HARNESSES"] || join(homedir(), ".cache", "tama-harnesses");
}

function say(line: string): void {
  console.error(`clients: ${line}`);
}

interface Way {
  readonly say: (line: string) => void;
  /** Run each client even where the stamp says that it was. */
  readonly runAgain: boolean;
}

/** Makes the cache whole and returns its clients. Several processes may call it at once: one works, the others wait. */
async function installed(cache: string, { say, runAgain }: Way): Promise<Clients | Unavailable> {
  const place = clientsIn(cache);
  if (!runAgain && isStamped(cache)) return place;
  const waiting = (): void => say(`waiting for another installer of ${cache}`);
  return oneAtATime(cache, waiting, async () => {
    if (!runAgain && isStamped(cache)) return place;
    const wrong = await whatIsWrong(place.binFolder);
    if (wrong !== null) {
      say(`${wrong}; installing ${pinned.map((client) => `${client.program} ${client.version}`).join(", ")}`);
      const failed = await installAnew(cache, say);
      if (failed !== null) {
        const silence = await registrySilence(cache);
        if (silence === null) throw new Error(failed);
        return { unavailable: `the npm registry cannot be reached: ${silence}` };
      }
    }
    writeStamp(cache);
    return place;
  });
}

function clientsIn(cache: string): Clients {
  const binFolder = join(cache, "node_modules", ".bin");
  return { omp: join(binFolder, "omp"), claude: join(binFolder, "claude"), codex: join(binFolder, "codex"), binFolder };
}

function stampPath(cache: string): string {
  return join(cache, "clients-that-ran");
}

function isStamped(cache: string): boolean {
  const stamp = stampPath(cache);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === printOf(clientsIn(cache).binFolder);
}

function writeStamp(cache: string): void {
  writeFileSync(`${stampPath(cache)}.new`, printOf(clientsIn(cache).binFolder) ?? "");
  renameSync(`${stampPath(cache)}.new`, stampPath(cache));
}

// Null when a tree whose clients all ran is in its place; else what went wrong at the last try.
async function installAnew(cache: string, say: Way["say"]): Promise<string | null> {
  rmSync(stampPath(cache), { force: true });
  for (let tries = 3; ; tries -= 1) {
    // The lock is held: whatever an earlier installer left half made is nobody's.
    for (const left of new Bun.Glob(".{making,old}-*").scanSync({ cwd: cache, onlyFiles: false, dot: true })) {
      rmSync(join(cache, left), { recursive: true, force: true });
    }
    const making = mkdtempSync(join(cache, ".making-"));
    const wrong = await make(making);
    if (wrong === null) putInPlace(cache, making);
    rmSync(making, { recursive: true, force: true });
    if (wrong === null || tries === 1) return wrong;
    say(`${wrong.split("\n")[0]}; trying again`);
  }
}

async function make(folder: string): Promise<string | null> {
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest(), null, 2));
  const npm = Bun.which("npm");
  const command = npm === null ? [process.execPath, "install"] : [npm, "install", ...npmFlags];
  const ended = await runChild({ command, cwd: folder, limit: 15 * 60_000 });
  if (ended.code !== 0) {
    return `${command.join(" ")} ${ended.overran ? "took over 15 minutes" : "failed"}\n${ended.output.trim()}`;
  }
  const { binFolder } = clientsIn(folder);
  // Codex's launcher asks for node by name; Bun behaves as node under that name.
  if (Bun.which("node") === null) symlinkSync("bun", join(binFolder, "node"));
  return whatIsWrong(binFolder);
}

function putInPlace(cache: string, making: string): void {
  const place = join(cache, "node_modules");
  const old = mkdtempSync(join(cache, ".old-"));
  if (existsSync(place)) renameSync(place, join(old, "node_modules"));
  renameSync(join(making, "node_modules"), place);
  rmSync(old, { recursive: true, force: true });
}

// npm's own retries wait for each package in turn, minutes without a network; a new try finds in npm's cache what came.
const npmFlags = ["--no-audit", "--no-fund", "--no-package-lock", "--fetch-retries=0"];

// Null when the registry answers, else what was said instead.
async function registrySilence(cache: string): Promise<string | null> {
  // Bun is asked, because npm answers from its cache.
  const command = [process.execPath, "info", "bun@1.4.5", "version"];
  const ended = await runChild({ command, cwd: cache, limit: 60_000 });
  if (ended.code === 0) return null;
  return ended.output.trim().split("\n")[0] ?? "no answer";
}

function manifest(): object {
  // Claude Code's and Bun's programs are put in their places by their own install scripts; npm asks in the first words, Bun in the second.
  const scripts = ["@anthropic-ai/claude-code", "bun"];
  return {
    name: "tama-test-clients",
    private: true,
    dependencies: Object.fromEntries(pinned.map((client) => [client.package, client.version])),
    allowScripts: Object.fromEntries(scripts.map((name) => [name, true])),
    trustedDependencies: scripts,
  };
}

if (import.meta.main) {
  endChildrenOnSignal();
  try {
    const found = await installed(cacheFolder(), { say, runAgain: true });
    if ("unavailable" in found) throw new Error(found.unavailable);
    for (const { program, version } of pinned) console.log(`${program} ${version}  ${join(found.binFolder, program)}`);
  } catch (cause) {
    console.error(`clients: ${cause instanceof Error ? cause.message : cause}`);
    process.exitCode = 1;
  }
}
